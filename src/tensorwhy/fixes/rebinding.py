"""Edits of an assignment to a name: change the object in place, where the name was given to a new one."""

from __future__ import annotations

import ast

from tensorwhy.fixes.calls import position
from tensorwhy.model.location import Location
from tensorwhy.model.report import Edit, Position
from tensorwhy.source.files import Sources

_IN_PLACE = {ast.Sub: ("-", "assign_sub"), ast.Add: ("+", "assign_add")}
_SEVERAL = (ast.Tuple, ast.List, ast.Dict, ast.ListComp, ast.DictComp, ast.GeneratorExp)
"""What is no single value, so that no variable can hold it."""


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
    if isinstance(statement.value, _SEVERAL):
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


def all_in_place(location: Location, sources: Sources) -> tuple[Edit, ...]:
    """The same, with each statement beside it, in one block, that gives a new object to the same name."""
    last = in_place(location, sources)
    tree, statement = sources.tree(location.file), sources.statement(location)
    name = _name(statement)
    if last is None or tree is None or statement is None:
        return () if last is None else (last,)
    blocks = (getattr(node, field, None) for node in ast.walk(tree) for field in ("body", "orelse", "finalbody"))
    block = next((each for each in blocks if isinstance(each, list) and statement in each), [])
    edits = []
    for each in block:
        if _name(each) != name or each is statement:
            continue
        edit = in_place(Location(file=location.file, line=each.lineno), sources) if _reads(each, name) else None
        if edit is not None:
            edits.append(edit)
        elif each.lineno < statement.lineno:
            edits.clear()  # here the name gets its first object
        else:
            return (last,)
    return (last, *edits)


def _name(statement: ast.stmt | None) -> str:
    """What a statement binds, where that is one name or attribute."""
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    targets = [statement.target] if isinstance(statement, ast.AugAssign) else targets
    plain = len(targets) == 1 and isinstance(targets[0], (ast.Name, ast.Attribute))
    return ast.unparse(targets[0]) if plain else ""


def _reads(statement: ast.stmt, name: str) -> bool:
    value = getattr(statement, "value", None)
    found = isinstance(value, ast.AST) and any(
        isinstance(each, (ast.Name, ast.Attribute)) and ast.unparse(each) == name for each in ast.walk(value)
    )
    return found or isinstance(statement, ast.AugAssign)


def _assigns(value: ast.expr, name: str) -> bool:
    """Return whether an expression is a call that changes the variable of this name."""
    called = value.func if isinstance(value, ast.Call) else None
    return isinstance(called, ast.Attribute) and called.attr.startswith("assign") and ast.unparse(called.value) == name


def _range(node: ast.stmt) -> tuple[tuple[int, int], tuple[int, int]]:
    return (node.lineno, node.col_offset), (node.end_lineno or node.lineno, node.end_col_offset or 0)


def _replaced(file: str, start: Position, end: Position, text: str) -> Edit:
    return Edit(file=file, start=start, end=end, replacement=text)
