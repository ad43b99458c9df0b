"""Edits of one call: give it a keyword argument, or append to it."""

from __future__ import annotations

import ast

from tensorwhy.model.location import Location
from tensorwhy.model.report import Edit, Position
from tensorwhy.recording.sources import Sources


def find(location: Location, sources: Sources) -> ast.Call | None:
    """The call that fills exactly this range of source."""
    tree = sources.tree(location.file)
    if tree is None or location.column is None:
        return None
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and node.lineno == location.line
            and node.end_lineno == location.end_line
            and _column(location.file, node.lineno, node.col_offset, sources) == location.column
            and _column(location.file, node.end_lineno or 0, node.end_col_offset or 0, sources) == location.end_column
        ):
            return node
    return None


def with_keyword(
    location: Location, name: str, value: str, sources: Sources, replacing: tuple[str, ...] = ()
) -> Edit | None:
    """Add `name=value` to the call; a keyword in `replacing` is put in its place. None when it has the name already."""
    call = find(location, sources)
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
        return None
    end = _position(location.file, last.end_lineno or 0, last.end_col_offset or 0, sources)
    line = sources.line(location.file, end.line)
    while end.column < len(line) and line[end.column] == ")" and not _closes(call, end, location, sources):
        end = Position(line=end.line, column=end.column + 1)
    return Edit(file=location.file, start=end, end=end, replacement=f", {name}={value}")


def _closes(call: ast.Call, position: Position, location: Location, sources: Sources) -> bool:
    """Whether the parenthesis at a position is the call's own, and not one around its last argument."""
    end = _position(location.file, call.end_lineno or 0, call.end_col_offset or 0, sources)
    return (position.line, position.column + 1) == (end.line, end.column)


def _replace(file: str, node: ast.keyword, text: str, sources: Sources) -> Edit:
    return Edit(
        file=file,
        start=_position(file, node.lineno, node.col_offset, sources),
        end=_position(file, node.end_lineno or 0, node.end_col_offset or 0, sources),
        replacement=text,
    )


def _position(file: str, line: int, column: int, sources: Sources) -> Position:
    return Position(line=line, column=_column(file, line, column, sources))


def _column(file: str, line: int, column: int, sources: Sources) -> int:
    """Python's syntax trees count UTF-8 bytes; ours count code points."""
    text = sources.line(file, line)
    return column if text.isascii() else len(text.encode()[:column].decode(errors="ignore"))
