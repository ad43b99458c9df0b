"""Edits that move whole statements to another block, with their comments, and with nothing else changed.

A move is only proposed where the moved statements keep their meaning: what they read is bound before their new place,
and nothing that stays behind reads what they bind.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Sequence

from tensorwhy.model.location import Location
from tensorwhy.model.report import Edit, Position
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_SIMPLE = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr)


def block_of(file: str, statement: ast.stmt, sources: Sources) -> list[ast.stmt]:
    """The list of statements that this one stands in; empty when it is not found."""
    tree = sources.tree(file)
    for node in ast.walk(tree) if tree is not None else ():
        for _, value in ast.iter_fields(node):
            if isinstance(value, list) and any(each is statement for each in value):
                return value
    return []


def at(block: Sequence[ast.stmt], location: Location) -> int | None:
    """The position in a block of the statement that covers a location's line."""
    for index, statement in enumerate(block):
        if reading.on_line(statement, location.line):
            return index
    return None


def bound(statement: ast.AST) -> set[str]:
    """The names that a statement binds, or changes in place."""
    return {
        node.id
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del))
    }


def read(statement: ast.AST) -> set[str]:
    """The names that a statement reads."""
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def later(block: Sequence[ast.stmt], first: int, end: int) -> list[ast.stmt] | None:
    """The statements from `first` up to `end` (exclusive) that have to move behind the others: what depends on it.

    None when that would change a meaning: a name that they use is bound again by one that stays.
    """
    moving = [block[first]]
    names = bound(block[first])
    for statement in block[first + 1 : end]:
        if read(statement) & names:
            moving.append(statement)
            names |= bound(statement)
        elif bound(statement) & (names | set().union(*map(read, moving))):
            return None
    return moving


def earlier(block: Sequence[ast.stmt], start: int, wanted: Sequence[int]) -> list[ast.stmt] | None:
    """The statements from `start` on that have to move before the others: `wanted`, and what they need."""
    moving: list[ast.stmt] = []
    names: set[str] = set()
    for index in range(max(wanted), start - 1, -1):
        statement = block[index]
        if index in wanted or bound(statement) & names:
            moving.insert(0, statement)
            names |= read(statement)
    return moving


def move(
    file: str, statements: Sequence[ast.stmt], indent: str, sources: Sources
) -> tuple[tuple[Edit, ...], str] | None:
    """The edits that take these statements out, and their text at another indentation.

    None where they cannot be moved as they are: compound statements, several on a line.
    """
    edits, text = [], ""
    within = _within_strings(sources.text(file))
    for statement in statements:
        if not isinstance(statement, _SIMPLE) or _shares_lines(file, statement, sources):
            return None
        start, end = first_line(file, statement, sources), statement.end_lineno or statement.lineno
        old = indentation(file, statement.lineno, sources)
        for number in range(start, end + 1):
            kept = sources.line(file, number)
            moves = number not in within and kept.startswith(old)
            text += (indent + kept[len(old) :] if moves else kept) + "\n"
        edits.append(
            Edit(
                file=file,
                start=Position(line=start, column=0),
                end=Position(line=end + 1, column=0),
                replacement="",
            )
        )
    return tuple(edits), text


def opened(file: str, block: ast.With, sources: Sources) -> tuple[Edit, ...]:
    """All that stands in a block without the `with` around it. Nothing where its head is longer than a line."""
    start, end = block.lineno + 1, block.end_lineno or block.lineno
    deep, indent = (indentation(file, line, sources) for line in (block.body[0].lineno, block.lineno))
    if first_line(file, block.body[0], sources) != start or not deep.startswith(indent):
        return ()
    within, text = _within_strings(sources.text(file)), ""
    for number in range(start, end + 1):
        line = sources.line(file, number)
        text += (indent + line[len(deep) :] if number not in within and line.startswith(deep) else line) + "\n"
    return (
        Edit(
            file=file,
            start=Position(line=block.lineno, column=0),
            end=Position(line=end + 1, column=0),
            replacement=text,
        ),
    )


def first_line(file: str, statement: ast.stmt, sources: Sources) -> int:
    """The first of the comment lines that stand directly above a statement, or its own first line."""
    line = statement.lineno
    indent = indentation(file, line, sources)
    while line > 1 and sources.line(file, line - 1).startswith(indent + "#"):
        line -= 1
    return line


def insertion(file: str, line: int, text: str) -> Edit:
    """Put whole lines before a line."""
    place = Position(line=line, column=0)
    return Edit(file=file, start=place, end=place, replacement=text)


def indentation(file: str, line: int, sources: Sources) -> str:
    """The white space that a line begins with."""
    text = sources.line(file, line)
    return text[: len(text) - len(text.lstrip())]


def _shares_lines(file: str, statement: ast.stmt, sources: Sources) -> bool:
    tree = sources.tree(file)
    lines = {statement.lineno, statement.end_lineno}
    return any(
        isinstance(node, ast.stmt)
        and node is not statement
        and (node.lineno in lines or (isinstance(node, _SIMPLE) and node.end_lineno in lines))
        for node in (ast.walk(tree) if tree is not None else ())
    )


def _within_strings(text: str) -> set[int]:
    """The lines that begin inside of a string: their white space is a part of it."""
    found: set[int] = set()
    opened: list[int] = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        kind = tokenize.tok_name[token.type]
        if kind in ("FSTRING_START", "TSTRING_START"):
            opened.append(token.start[0])
        elif kind == "STRING" or (kind in ("FSTRING_END", "TSTRING_END") and opened):
            first = token.start[0] if kind == "STRING" else opened.pop()
            found.update(range(first + 1, token.end[0] + 1))
    return found
