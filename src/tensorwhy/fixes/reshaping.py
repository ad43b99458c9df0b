"""Edits of shapes."""

from __future__ import annotations

import ast

from tensorwhy.fixes import syntax
from tensorwhy.model.location import Location
from tensorwhy.model.report import Edit, Position
from tensorwhy.recording.sources import Sources


def as_other(low: ast.expr, high: ast.expr, location: Location, sources: Sources) -> tuple[Edit, ...]:
    """Give one name the shape of another one, where it is used; nothing for other expressions, which would run twice.

    `location` is where both are used.
    """
    tree = syntax.tree(location.file, sources)
    tf = tree.spelled("tensorflow") if tree is not None else ""
    if not tf or not isinstance(high, (ast.Name, ast.Attribute)):
        return ()
    at = sources.place(location.file, low)
    if at.column is None or at.end_line is None or at.end_column is None:
        return ()
    text = f"{tf}.reshape({sources.expression(at)}, {tf}.shape({ast.unparse(high)}))"
    start, end = Position(line=at.line, column=at.column), Position(line=at.end_line, column=at.end_column)
    return (Edit(file=location.file, start=start, end=end, replacement=text),)
