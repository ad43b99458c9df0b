"""Edits of one call: give it a keyword argument, or append to it."""

from __future__ import annotations

import ast

from tensorwhy.fixes import syntax
from tensorwhy.model.location import Location
from tensorwhy.model.report import Edit, Position
from tensorwhy.source.concrete import nodes as cst
from tensorwhy.source.files import Sources


def find(location: Location, sources: Sources, named: str = "") -> ast.Call | None:
    """The call that fills exactly this range of source; else the only one of that name that stands there.

    A place in a traced graph is a line, or a whole statement.
    """
    tree = sources.tree(location.file)
    if tree is None:
        return None
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    found = [node for node in calls if node.lineno == location.line]
    found = [node for node in found if _range(location.file, node, sources) == _ends(location)]
    if location.column is None or not found:
        last = location.end_line or location.line
        found = [node for node in calls if named and name(node) == named and location.line <= node.lineno <= last]
    return found[0] if len(found) == 1 else None


def _range(file: str, node: ast.Call, sources: Sources) -> tuple[int | None, ...]:
    place = sources.place(file, node)
    return place.column, place.end_line, place.end_column


def _ends(location: Location) -> tuple[int | None, ...]:
    return location.column, location.end_line, location.end_column


def name(call: ast.Call) -> str:
    """The last part of what is called: `stop_gradient` for `tf.stop_gradient(x)`."""
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def with_keyword(
    location: Location, name: str, value: str, sources: Sources, replacing: tuple[str, ...] = (), named: str = ""
) -> Edit | None:
    """Add `name=value` to the call; a keyword in `replacing` is put in its place. None when it has the name already.

    `named` is what is called, for a location without columns.
    """
    call = find(location, sources, named)
    if call is None or any(keyword.arg is None for keyword in call.keywords):
        return None
    for keyword in call.keywords:
        if keyword.arg in replacing or keyword.arg == name:
            return _replace(location.file, keyword, f"{name}={value}", sources)
    last = max(
        (*call.args, *(keyword.value for keyword in call.keywords)),
        key=lambda node: (node.end_lineno or 0, node.end_col_offset or 0),
        default=None,
    )
    if last is None:
        end = position(location.file, call.end_lineno or 0, (call.end_col_offset or 0) - 1, sources)
        return Edit(file=location.file, start=end, end=end, replacement=f"{name}={value}")
    end = position(location.file, last.end_lineno or 0, last.end_col_offset or 0, sources)
    line = sources.line(location.file, end.line)
    while end.column < len(line) and line[end.column] == ")" and not _closes(call, end, location, sources):
        end = Position(line=end.line, column=end.column + 1)
    return Edit(file=location.file, start=end, end=end, replacement=f", {name}={value}")


def _closes(call: ast.Call, place: Position, location: Location, sources: Sources) -> bool:
    """Return whether the parenthesis at a position is the call's own, and not one around its last argument."""
    end = position(location.file, call.end_lineno or 0, call.end_col_offset or 0, sources)
    return (place.line, place.column + 1) == (end.line, end.column)


def _replace(file: str, node: ast.keyword, text: str, sources: Sources) -> Edit:
    return Edit(
        file=file,
        start=position(file, node.lineno, node.col_offset, sources),
        end=position(file, node.end_lineno or 0, node.end_col_offset or 0, sources),
        replacement=text,
    )


def unwrapped(location: Location, sources: Sources, named: str = "") -> tuple[Edit, ...]:
    """Put the only argument of a call in the call's place; in parentheses, where it is more than a name or a call."""
    call = find(location, sources, named)
    if call is None or len(call.args) != 1 or call.keywords or isinstance(call.args[0], ast.Starred):
        return ()
    argument, file = call.args[0], location.file
    start = position(file, call.lineno, call.col_offset, sources)
    end = position(file, call.end_lineno or 0, call.end_col_offset or 0, sources)
    if isinstance(argument, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)) or _stands_alone(call, file, sources):
        first = position(file, argument.lineno, argument.col_offset, sources)
        last = position(file, argument.end_lineno or 0, argument.end_col_offset or 0, sources)
        return (
            Edit(file=file, start=start, end=first, replacement=""),
            Edit(file=file, start=last, end=end, replacement=""),
        )
    function = position(file, call.func.end_lineno or 0, call.func.end_col_offset or 0, sources)
    return (Edit(file=file, start=start, end=function, replacement=""),)


def left_out(location: Location, sources: Sources, named: str) -> tuple[Edit, ...]:
    """The same, but of `x = f(x)` nothing is left."""
    tree = syntax.tree(location.file, sources)
    for statement in tree.statements_at(location)[-1:] if tree is not None else ():
        target, call = syntax.target(statement), syntax.value(statement)
        if tree is None or target is None or not isinstance(call, cst.Call) or syntax.called(call) != named:
            continue
        if [tree.text(each) for each in call.args] != [tree.text(target)]:
            continue
        removed, block = tree.removed(statement), tree.parent(statement)
        if removed is None and isinstance(block, cst.IndentedBlock) and len(block.body) == len(statement.body) == 1:
            removed = tree.replaced(statement, "pass")
        if removed is not None:
            return (removed,)
    return unwrapped(location, sources, named)


def _stands_alone(call: ast.Call, file: str, sources: Sources) -> bool:
    """Return whether what stands in the place of a call, on one line, needs no parentheses around it."""
    tree = sources.tree(file)
    if tree is None or call.end_lineno != call.lineno or isinstance(call.args[0], (ast.GeneratorExp, ast.NamedExpr)):
        return False
    kinds = (ast.Assign, ast.AnnAssign, ast.Return, ast.keyword)
    return any(
        (isinstance(node, kinds) and node.value is call) or (isinstance(node, ast.Call) and call in node.args)
        for node in ast.walk(tree)
    )


def position(file: str, line: int, column: int, sources: Sources) -> Position:
    """A position from a syntax tree as one of ours."""
    return Position(line=line, column=sources.column(file, line, column))
