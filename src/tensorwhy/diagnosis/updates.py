"""Updates that a program makes itself: which of them change a variable by a multiple of what it holds."""

from __future__ import annotations

import ast

from tensorwhy.model.location import Location
from tensorwhy.source.files import Sources


def scales_itself(sources: Sources, location: Location | None) -> bool:
    """Return whether a line changes something by a multiple of itself: `w.assign_sub(c * w)`, `p.mul_(c)`, `w *= c`."""
    statement = sources.statement(location) if location is not None else None
    if statement is None or hasattr(statement, "body"):
        return False
    return any(_scales(node) for node in ast.walk(statement))


def _scales(node: ast.AST) -> bool:
    if isinstance(node, ast.AugAssign):
        return isinstance(node.op, ast.Mult) or _mentions([node.value], node.target)
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    name = node.func.attr
    in_place = name.startswith("assign") or (name.endswith("_") and not name.endswith("__"))
    given = [*node.args, *(each.value for each in node.keywords)]
    return in_place and (name == "mul_" or _mentions(given, node.func.value))


def _mentions(values: list[ast.expr], owner: ast.expr) -> bool:
    text = ast.unparse(owner).removesuffix(".data")
    return any(ast.unparse(node) == text for value in values for node in ast.walk(value) if isinstance(node, ast.expr))
