"""Loops that give a new value to their own variable only: nothing that they read is changed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from tensorwhy.model.location import Location
from tensorwhy.source.files import Sources

_GIVING = ("parameters(", "named_parameters(", "state_dict(", "buffers(", ".param_groups")


class Rebound(NamedTuple):
    """The assignment, as `text` with its `name`, and the loop."""

    text: str
    name: str
    made: Location
    loop: Location


def rebound(file: str, sources: Sources, library: str) -> Iterator[Rebound]:
    """The loops over parameters or state of a file, of which all that they do is to bind one of their own names.

    Functions of the `library` change nothing that they are given, unless their names end with an underscore.
    """
    nodes = sources.nodes(file)
    given = {
        ast.unparse(target): ast.unparse(node.value)
        for node in nodes
        if isinstance(node, ast.Assign)
        for target in node.targets
    }
    for loop in nodes:
        if not isinstance(loop, ast.For) or loop.orelse:
            continue
        read = ast.unparse(loop.iter)
        read += "".join(given.get(ast.unparse(each), "") for each in ast.walk(loop.iter) if isinstance(each, ast.expr))
        names = {each.id for each in ast.walk(loop.target) if isinstance(each, ast.Name)}
        does = [_binds(each, names, library) for each in _leaves(loop.body)]
        bound = {name for name in does if name}
        if not bound or not all(does) or not any(each in read for each in _GIVING):
            continue
        scope = sources.function(sources.place(file, loop), lambdas=False) or sources.tree(file)
        inside = {id(each) for each in ast.walk(loop)}
        later = any(
            isinstance(each, ast.Name) and each.id in bound and id(each) not in inside and each.lineno > loop.lineno
            for each in ast.walk(scope or loop)
        )
        if not later:
            made = _leaves(loop.body)[0]
            places = (sources.place(file, each) for each in (made, loop))
            yield Rebound(ast.unparse(made), does[0], *places)


def _leaves(body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements of a block, in the place of a `with` or an `if` those in it."""
    found = []
    for each in body:
        found += _leaves([*each.body, *getattr(each, "orelse", ())]) if isinstance(each, (ast.With, ast.If)) else [each]
    return found


def _binds(statement: ast.stmt, names: set[str], library: str) -> str:
    """The variable of the loop that a statement binds, where it does nothing else."""
    target = statement.targets[0] if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else None
    own = isinstance(target, ast.Name) and target.id in names
    plain = own and isinstance(statement, ast.Assign) and _is_plain(statement.value, names, library)
    return target.id if plain and isinstance(target, ast.Name) else ""


def _is_plain(value: ast.expr, names: set[str], library: str) -> bool:
    """Whether a value is computed of what the loop reads, by functions of a library and methods that change nothing."""
    for each in ast.walk(value):
        if isinstance(each, ast.Call):
            method = each.func if isinstance(each.func, ast.Attribute) else None
            if method is None or method.attr.endswith("_") or not _root(method) & {*names, library}:
                return False
    return bool(_root(value) & names)


def _root(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
