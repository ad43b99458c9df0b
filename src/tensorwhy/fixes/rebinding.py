"""Edits of an assignment to a name: change the object in place, where the name was given to a new one."""

from __future__ import annotations

import ast

from tensorwhy.fixes.calls import position
from tensorwhy.model.location import Location
from tensorwhy.model.report import Edit, Position
from tensorwhy.recording.sources import Sources

_IN_PLACE = {ast.Sub: ("-", "assign_sub"), ast.Add: ("+", "assign_add")}


def in_place(location: Location, sources: Sources) -> Edit | None:
    """`w = w - x` and `w -= x` as `w.assign_sub(x)`, `w = f(w)` as `w.assign(f(w))`. None for other statements.

    `w = w.assign_sub(x)` changes it in place already: there the name goes.
    """
    statement = sources.statement(location)
    target: ast.expr
    start: ast.expr | None
    kind: type[ast.operator] | None
    if isinstance(statement, ast.AugAssign):
        target, kind, start = statement.target, type(statement.op), statement.target
    elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        value = statement.value
        target, kind, start = statement.targets[0], None, None
        if isinstance(value, ast.BinOp) and ast.unparse(value.left) == ast.unparse(target):
            kind, start = type(value.op), value.left
    else:
        return None
    if not isinstance(target, (ast.Name, ast.Attribute)) or statement.lineno != statement.end_lineno:
        return None
    file, name = location.file, ast.unparse(target)
    begin, end = (position(file, *place, sources) for place in _range(statement))
    text = sources.line(file, begin.line)[: end.column]
    if kind in _IN_PLACE and start is not None:
        sign, method = _IN_PLACE[kind]
        after = position(file, start.end_lineno or start.lineno, start.end_col_offset or 0, sources).column
        operand = text[after:].lstrip().removeprefix(sign).removeprefix("=").strip()
        return _replaced(file, begin, end, f"{name}.{method}({operand})")
    if isinstance(statement, ast.AugAssign):
        return None
    value_at = position(file, statement.value.lineno, statement.value.col_offset, sources).column
    value_text = text[value_at:].strip()
    done = _assigns(statement.value, name)
    return _replaced(file, begin, end, value_text if done else f"{name}.assign({value_text})")


def _assigns(value: ast.expr, name: str) -> bool:
    """Whether an expression is a call that changes the variable of this name."""
    called = value.func if isinstance(value, ast.Call) else None
    return isinstance(called, ast.Attribute) and called.attr.startswith("assign") and ast.unparse(called.value) == name


def _range(node: ast.stmt) -> tuple[tuple[int, int], tuple[int, int]]:
    return (node.lineno, node.col_offset), (node.end_lineno or node.lineno, node.end_col_offset or 0)


def _replaced(file: str, start: Position, end: Position, text: str) -> Edit:
    return Edit(file=file, start=start, end=end, replacement=text)
