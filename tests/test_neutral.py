"""Neutral rooms name no framework in code: what it calls things, and what its operations do, its adapter says.

Docstrings and comments may give examples. A public name that users type or read in a report is listed here, with why.
Reasons of one framework's own objects (Keras tensors, graphs, their loops) may speak of it; of the others it is counted
how often they still do, so that the number only falls.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.runner import SOURCES

PACKAGE = SOURCES / "tensorwhy"
ROOMS = ("model", "recording", "lineage", "diagnosis", "experiments", "traces", "pipeline", "rendering", "integrations")
NAMES = re.compile(r"tensorflow|keras|torch|jax|(?<![a-z])tf(?![a-z])|tape(?!s?try)", re.IGNORECASE)
KERNELS = re.compile(r"\w*PartitionedCall|ReadVariableOp|MatMul|AddV2|RealDiv|EagerPyFunc|TensorList\w*")

PUBLIC = {
    "model/facts/variables.py": {"Keras"},  # what lists variables unless told: the first line of many reports
    "model/report.py": {"keras-history", "keras-tensor"},  # words of the JSON schema
    "traces/columns.py": {"tape", "tape-new", "tape-add", "tape-remove"},  # columns and kinds of a trace
    "traces/layout.py": {"tape"},
    "traces/worker.py": {"TF_CONFIG"},  # tells which worker of a cluster this is
    "integrations/answers.py": {"tape"},  # an argument of `explain_gradient`
}
BOUND = {
    "integrations/keras_callback.py",  # a callback of Keras
    "integrations/summary.py",  # the table of a Keras model
    "integrations/asserts.py",  # asks TensorFlow's adapter for what flows
    "integrations/answers.py",
    "integrations/pytest_plugin.py",
    "integrations/assistants/server.py",  # tells an assistant when to call it
    "integrations/cli/doctor.py",  # names of packages
    "integrations/cli/mcp.py",
    "integrations/cli/runner.py",
}


def texts(file: Path) -> Iterator[tuple[int, str]]:
    """All identifiers and strings of a module but its docstrings, with their lines."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    told = {
        id(each.value)
        for node in ast.walk(tree)
        if isinstance(body := getattr(node, "body", None), list)
        for each in body
        if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)
    }
    for node in ast.walk(tree):
        for _, value in ast.iter_fields(node):
            if isinstance(value, str) and id(node) not in told:
                yield getattr(node, "lineno", 0), value


def named(file: Path) -> list[str]:
    found = [(line, text) for line, text in texts(file) if NAMES.search(text) or KERNELS.fullmatch(text)]
    return [f"{file.relative_to(PACKAGE)}:{line}: {text!r}" for line, text in found]


@pytest.mark.parametrize("room", ROOMS)
def test_a_neutral_room_names_no_framework(room: str) -> None:
    found = []
    for file in sorted((PACKAGE / room).rglob("*.py")):
        path = file.relative_to(PACKAGE).as_posix()
        known = PUBLIC.get(path, set())
        if path not in BOUND:
            found += [each for each in named(file) if ast.literal_eval(each.split(": ", 1)[1]) not in known]
    assert found == [], "the adapter says it: `Vocabulary` in model/optable.py, `Told` in model/facts/told.py"
