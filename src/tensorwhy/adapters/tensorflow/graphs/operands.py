"""Looks up what the names of an expression meant in a failed frame, without running anything.

Only names, attributes that are stored in an object's own dictionary and elements of plain containers are followed: no
property, no `__getattr__` and no call of the user's is executed once more.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import msgspec

from tensorwhy.adapters.refusal import values
from tensorwhy.adapters.stack import UserStack
from tensorwhy.adapters.tensorflow.graphs import symbolic
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

MISSING = values.MISSING


class Operand(msgspec.Struct, frozen=True, kw_only=True):
    """A symbolic tensor that an expression names, with the text that names it."""

    tensor: Any
    text: str


def nodes(place: UserStack, sources: Sources) -> list[ast.AST]:
    """The syntax that failed: the exact expression where columns are known, else all expressions of the line."""
    location = place.own.location
    if location.column is not None and location.end_line is not None:
        nodes = sources.nodes(location.file)
        exact = [n for n in nodes if isinstance(n, (ast.expr, ast.stmt)) and reading.stands_at(n, location, sources)]
        # Python gives what is unpacked the place of the names that it is unpacked to.
        if exact and not isinstance(getattr(exact[0], "ctx", None), ast.Store):
            return [_head(each) if isinstance(each, ast.stmt) else each for each in exact[:1]]
    statement = sources.statement(location)
    return [] if statement is None else [_head(statement)]


def _head(statement: ast.stmt) -> ast.AST:
    """Of a compound statement only the head: its body stands on lines of its own."""
    if isinstance(statement, (ast.If, ast.While)):
        return ast.copy_location(type(statement)(test=statement.test, body=[], orelse=[]), statement)
    if isinstance(statement, (ast.For, ast.AsyncFor)):
        return ast.copy_location(
            ast.For(target=statement.target, iter=statement.iter, body=[], orelse=[], type_comment=None), statement
        )
    if isinstance(statement, (ast.With, ast.AsyncWith)):
        return ast.copy_location(ast.With(items=statement.items, body=[], type_comment=None), statement)
    return statement


def leaves(value: Any) -> list[Any]:
    """What lists, tuples and dicts hold, however deep: what a session was asked for, say."""
    if isinstance(value, (list, tuple)):
        return [each for item in value for each in leaves(item)]
    return [each for item in value.values() for each in leaves(item)] if isinstance(value, dict) else [value]


def value_of(node: ast.AST, place: UserStack) -> Any:
    """What the expression stood for; MISSING when that would need running code."""
    return values.value(node, place.own.frame, lambda name: _iterated(name, place))


def _iterated(name: str, place: UserStack) -> Any:
    """A comprehension's variable: from Python 3.12 on it has no frame of its own, and is gone when it fails.

    It can only have failed for a symbolic tensor at the first one that it came to.
    """
    tree, line = Sources().tree(place.own.location.file), place.own.location.line
    for node in ast.walk(tree) if tree is not None else ():
        if not isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp)):
            continue
        if not reading.on_line(node, line):
            continue
        for generator in node.generators:
            if isinstance(generator.target, ast.Name) and generator.target.id == name:
                items = value_of(generator.iter, place)
                items = items if isinstance(items, (list, tuple)) else ()
                return next((item for item in items if symbolic.is_symbolic(item)), MISSING)
    return MISSING


def symbolic_operands(node: ast.AST, place: UserStack) -> Iterator[Operand]:
    """The symbolic tensors that an expression names, outermost expression first; also those inside lists and dicts."""
    queue = [node]
    while queue:
        each = queue.pop(0)
        if isinstance(each, (ast.Name, ast.Attribute, ast.Subscript)):
            value = value_of(each, place)
            if symbolic.is_symbolic(value):
                yield Operand(tensor=value, text=ast.unparse(each))
                continue
            if isinstance(value, (list, tuple, dict)):
                items = value.values() if isinstance(value, dict) else value
                for item in list(items)[:64]:
                    if symbolic.is_symbolic(item):
                        yield Operand(tensor=item, text=ast.unparse(each))
                        break
        if not isinstance(each, (ast.Lambda, ast.FunctionDef)):
            queue.extend(ast.iter_child_nodes(each))
