"""Places of syntax tree nodes in source text."""

from __future__ import annotations

import ast
from pathlib import Path

from tensorwhy.recording.sources import Sources

TEXT = """\
def scale(x):
    grüße = x.numpy() * 2  # a comment
    if grüße:
        return grüße
"""


def test_a_place_counts_code_points_and_names_its_function(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(TEXT, encoding="utf-8")
    sources = Sources()
    tree = sources.tree(str(path))
    assert tree is not None
    call = next(node for node in ast.walk(tree) if isinstance(node, ast.Call))
    place = sources.place(str(path), call)
    assert sources.expression(place) == "x.numpy()"
    assert (place.column, place.end_column, place.function) == (12, 21, "scale")


def test_the_place_of_a_compound_statement_is_its_first_line(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(TEXT, encoding="utf-8")
    sources = Sources()
    tree = sources.tree(str(path))
    assert tree is not None
    condition = next(node for node in ast.walk(tree) if isinstance(node, ast.If))
    assert sources.expression(sources.place(str(path), condition)) == "if grüße"
