"""Two names for one object: an assignment that copies nothing, of a name that is bound once, to one that is, too."""

from __future__ import annotations

import ast
from typing import NamedTuple

from tensorwhy.model.location import Location
from tensorwhy.source.files import Function, Sources


class Alias(NamedTuple):
    """`other = one` at a place, in a function or module where each is bound only once."""

    one: str
    other: str
    place: Location
    function: Function | None

    def reads(self, node: ast.AST) -> str:
        """The one of the two names that a part of the program reads; empty where it reads none, or both."""
        texts = {ast.unparse(each) for each in ast.walk(node) if isinstance(each, (ast.Name, ast.Attribute))}
        found = {self.one, self.other} & texts
        return found.pop() if len(found) == 1 else ""


def aliases(sources: Sources, made: Location) -> list[Alias]:
    """What gives a second name to the object that is created, and named, by the statement at a line."""
    statement, names = sources.statement(made), sources.names(made)
    if not isinstance(statement, ast.Assign) or len(names) != 1 or not isinstance(statement.value, ast.Call):
        return []
    (name,) = names
    function = sources.function(made)
    scope: ast.AST | None = function or sources.tree(made.file)
    block = _block(scope, statement) if scope is not None else []
    found = []
    for each in block[block.index(statement) + 1 :] if statement in block else ():
        if not isinstance(each, ast.Assign) or ast.unparse(each.value) != name or len(each.targets) != 1:
            continue
        target = each.targets[0]
        like = type(target) is type(each.value) and isinstance(target, (ast.Name, ast.Attribute))
        if isinstance(target, ast.Attribute) and isinstance(each.value, ast.Attribute):
            like = ast.unparse(target.value) == ast.unparse(each.value.value)
        whole: ast.AST | None = sources.tree(made.file) if isinstance(target, ast.Attribute) else scope
        other = ast.unparse(target)
        if like and whole is not None and _bound(whole, name) == 1 == _bound(whole, other):
            found.append(Alias(name, other, sources.place(made.file, each), function))
    return found


def _block(scope: ast.AST, statement: ast.stmt) -> list[ast.stmt]:
    """The statements of the block that a statement belongs to."""
    for node in ast.walk(scope):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list) and statement in block:
                return block
    return []


def _bound(scope: ast.AST, name: str) -> int:
    """How often something is bound to a name or attribute."""
    return sum(
        isinstance(node, (ast.Name, ast.Attribute))
        and isinstance(node.ctx, (ast.Store, ast.Del))
        and ast.unparse(node) == name
        for node in ast.walk(scope)
    )
