"""Edits of shapes."""

from __future__ import annotations

import ast

from tensorwhy.fixes import literals, syntax
from tensorwhy.model.location import Location
from tensorwhy.model.report import Edit
from tensorwhy.source.files import Sources


def as_other(low: ast.expr, high: ast.expr, location: Location, sources: Sources) -> tuple[Edit, ...]:
    """Give one name the shape of another one, where it is used; nothing for other expressions, which would run twice.

    `location` is where both are used.
    """
    tree = syntax.tree(location.file, sources)
    tf = tree.spelled("tensorflow") if tree is not None else ""
    if not tf or not isinstance(high, (ast.Name, ast.Attribute)):
        return ()
    text = f"{tf}.reshape({ast.unparse(low)}, {tf}.shape({ast.unparse(high)}))"
    return literals.replaced(low, text, location.file, sources)
