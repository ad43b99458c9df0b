"""A notebook is read as the script that its code cells make."""

from __future__ import annotations

import ast
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensorwhy.checks.text.modules import Module
from tensorwhy.source import notebooks
from tensorwhy.source.files import Sources


def notebook(*cells: str, **fields: Any) -> bytes:
    """The bytes of a notebook of code cells."""
    kinds = [{"cell_type": "code", "source": cell.splitlines(keepends=True)} for cell in cells]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": kinds, **fields}).encode()


def lines(cell: str) -> list[str]:
    """What one cell becomes."""
    return notebooks.read(notebook(cell)).text.split("\n")[:-1]


@pytest.mark.parametrize(
    ("cell", "script"),
    [
        ("%matplotlib inline\nx = 1", ["get_ipython()", "x = 1"]),
        ("!pip install one \\\n  two\nx = 1", ["get_ipython()", "", "x = 1"]),
        ("if x:\n    %cd folder\n    y = 2", ["if x:", "    get_ipython()", "    y = 2"]),
        ("files = !ls\nx = files", ["files = get_ipython()", "x = files"]),
        ("a.b[0] = %env HOME", ["a.b[0] = get_ipython()"]),
        ("%time y = f(x)", ["y = f(x)"]),
        ("%timeit -n 3 f(x)", ["get_ipython()"]),
        ("pip install one\nls ./a\npip = 2", ["get_ipython()", "get_ipython()", "pip = 2"]),
        ("f?\n??g", ["get_ipython()", "get_ipython()"]),
        ("%%time\ny = f(x)", ["", "y = f(x)"]),
        ("\n%%capture out\ny = f(x)", ["", "", "y = f(x)"]),
        ("%%bash\nrm -r *", ["get_ipython()", ""]),
        ('x = """\n%not a magic\n!"""', ['x = """', "%not a magic", '!"""']),
        ("x = 7\ny = (x\n% 3)", ["x = 7", "y = (x", "% 3)"]),
        ("", [""]),
        ("\n  x = 1\n\n  if x:\n    y = 2", ["", "x = 1", "", "if x:", "  y = 2"]),
    ],
)
def test_what_only_ipython_understands_becomes_a_call(cell: str, script: list[str]) -> None:
    assert lines(cell) == script


def test_a_source_may_be_one_text_and_other_cells_are_counted() -> None:
    kinds = [
        {"cell_type": "markdown", "source": ["# Title"]},
        {"cell_type": "code", "source": "x = 1\ny = 2"},
        {"cell_type": "raw", "source": "z"},
        {"cell_type": "code", "source": ["w = 3"]},
    ]
    found = notebooks.read(notebook(cells=kinds))
    tree = ast.parse(found.text)
    assert found.text == "x = 1\ny = 2\nw = 3\n"
    assert [(name, node.lineno) for name, node in (found.placed("a.ipynb", each) for each in tree.body)] == [
        ("a.ipynb:cell 2", 1),
        ("a.ipynb:cell 2", 2),
        ("a.ipynb:cell 4", 1),
    ]


@given(st.lists(st.lists(st.sampled_from(["x = 'é' + f(y)", "", "# nothing", "if x:\n    z = 1", "%who"]), max_size=4)))
def test_every_statement_is_found_in_its_cell(cells: list[list[str]]) -> None:
    texts = ["\n".join(cell) for cell in cells]
    found, sources = notebooks.read(notebook(*texts)), Sources()
    module = Module("a.ipynb", ast.parse(found.text), sources, notebook=found)
    for node in ast.walk(module.tree):
        if isinstance(node, (ast.Assign, ast.Call)):
            place = module.place(node)
            cell = int(place.file.removeprefix("a.ipynb:cell ")) - 1
            text = texts[cell].split("\n")[place.line - 1]
            assert text.replace("%who", "get_ipython()")[place.column : place.end_column] == ast.unparse(node)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"{}", "not a notebook"),
        (b"import tensorflow", "not a notebook"),
        (b"\xff\xfe", "not a notebook"),
        (notebook("x", nbformat=3), "format 3"),
        (notebook("x <- 1", metadata={"kernelspec": {"language": "R"}}), "its language is R"),
        (notebook("", "x = (\ny = 2"), "cell 2, line 1"),
    ],
)
def test_what_is_no_notebook_of_python_says_why(data: bytes, words: str) -> None:
    with pytest.raises(notebooks.NoNotebook, match=words):
        notebooks.read(data)


def test_after_a_cell_that_is_no_python_its_names_may_have_any_value() -> None:
    found = notebooks.read(notebook("x = 1", "x = y.z(w)\ndef f(:\n  tf.g(x)", "x"))
    assert found.text == "x = 1\nx = w = f = get_ipython()\n\n\nx\n"
    assert len(found.unread) == 1
