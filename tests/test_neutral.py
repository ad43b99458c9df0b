"""Neutral rooms name no framework in code: what it calls things, and what its operations do, its adapter says.

Docstrings and comments may give examples. A public name that users type or read in a report is listed here, with why.
Reasons of one framework's own objects (Keras tensors, graphs, their loops) may speak of it; of the others it is counted
how often they still do, so that the number only falls.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.runner import SOURCES

PACKAGE = SOURCES / "tensorwhy"
ROOMS = (
    "model",
    "source",
    "recording",
    "lineage",
    "diagnosis",
    "experiments",
    "traces",
    "pipeline",
    "rendering",
    "integrations",
)
NAMES = re.compile(r"tensorflow|keras|torch|jax|(?<![a-z])tf(?![a-z])|tape(?!s?try)", re.IGNORECASE)
KERNELS = re.compile(r"\w*PartitionedCall|ReadVariableOp|MatMul|AddV2|RealDiv|EagerPyFunc|TensorList\w*")

PUBLIC = {
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

OF_ONE_FRAMEWORK = ("tw30", "tw40", "tw41", "tw50")
STILL = {
    "_leaks.py": 6,
    "_recorders.py": 2,
    "keras_words.py": 1,
    "scaffold.py": 4,
    "tw101_not_watched": 2,
    "tw102_computed_outside_tape": 7,
    "tw103_recording_stopped": 1,
    "tw106_non_differentiable_op": 1,
    "tw107_no_second_order_gradient": 2,
    "tw108_index_input": 2,
    "tw110_left_tensorflow": 7,
    "tw111_python_callback": 2,
    "tw112_variable_overwritten": 1,
    "tw113_variable_state": 1,
    "tw115_unused": 4,
    "tw116_not_trainable": 5,
    "tw118_name_shadowed": 8,
    "tw119_custom_gradient": 2,
    "tw120_tape_consumed": 4,
    "tw121_loop_misuse": 4,
    "tw122_trace_time_value": 9,
    "tw204_zero_masked": 1,
    "tw207_zero_from_function": 2,
    "tw601_untracked_variable": 5,
    "tw602_wrong_container": 3,
    "tw603_created_too_late": 4,
    "tw604_never_updated": 3,
    "tw605_not_restored": 2,
    "tw611_not_finite": 1,
    "tw801_accidental_broadcast": 3,
}
"""So often the rules of reasons that any framework may have still speak of one; a number may only fall."""


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


def test_rules_of_reasons_that_any_framework_may_have_speak_of_one_no_more_often_than_before() -> None:
    count = Counter[str]()
    for file in sorted((PACKAGE / "reasons").rglob("*.py")):
        folder = file.parent.name
        if not folder.startswith(OF_ONE_FRAMEWORK) and not file.name.startswith(("broken_", "fixed_", "fix.")):
            count[file.name if folder == "reasons" else folder] += len(named(file))
    assert {name: number for name, number in count.items() if number} == STILL, "lower the numbers that have fallen"
