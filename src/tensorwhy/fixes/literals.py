"""Edits of what a call is given: a text, an option, an expression."""

from __future__ import annotations

import ast

from tensorwhy.model.location import Location
from tensorwhy.model.report import Edit, Position
from tensorwhy.source.files import Sources
from tensorwhy.source.reading import node_at


def renamed(old: str, new: str, location: Location | None, sources: Sources) -> tuple[Edit, ...]:
    """Write another text where one stands, once, in the call at a place."""
    call = node_at(location, sources) if location is not None else None
    found = [each for each in ast.walk(call) if isinstance(each, ast.Constant) and each.value == old] if call else []
    if location is None or len(found) != 1:
        return ()
    at = sources.place(location.file, found[0])
    written = sources.expression(at)
    if at.column is None or written not in (f'"{old}"', f"'{old}'"):
        return ()
    start = Position(line=at.line, column=at.column + 1)
    end = Position(line=at.line, column=at.column + 1 + len(old))
    return (Edit(file=location.file, start=start, end=end, replacement=new),)


def replaced(node: ast.expr, text: str, file: str, sources: Sources) -> tuple[Edit, ...]:
    """Write another expression in the place of one."""
    at = sources.place(file, node)
    if at.column is None or at.end_line is None or at.end_column is None:
        return ()
    start, end = Position(line=at.line, column=at.column), Position(line=at.end_line, column=at.end_column)
    return (Edit(file=file, start=start, end=end, replacement=text),)


def given(option: str, value: str, location: Location, sources: Sources) -> tuple[Edit, ...]:
    """Give a call one more option, or another value for it, behind its other arguments."""
    call = node_at(location, sources)
    if not isinstance(call, ast.Call):
        return ()
    for each in call.keywords:
        if each.arg in (option, None):
            return replaced(each.value, value, location.file, sources) if each.arg is not None else ()
    last = max((*call.args, *(each.value for each in call.keywords)), key=lambda each: (each.lineno, each.col_offset))
    at = sources.place(location.file, last)
    if at.end_line is None or at.end_column is None:
        return ()
    behind = Position(line=at.end_line, column=at.end_column)
    return (Edit(file=location.file, start=behind, end=behind, replacement=f", {option}={value}"),)
