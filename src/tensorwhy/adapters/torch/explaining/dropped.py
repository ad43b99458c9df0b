"""Results that are assigned to a name that nothing reads after that."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tensorwhy.model.location import Location
from tensorwhy.source.files import Sources

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def dropped(location: Location | None, sources: Sources) -> tuple[str, bool] | None:
    """Return the name that the result of a line is given in vain, and whether that is a variable of a loop.

    None where the result may be read.
    """
    statement = sources.statement(location) if location is not None else None
    function = sources.function(location, lambdas=False) if location is not None else None
    if statement is None or not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return None
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    target = statement.targets[0]
    if not isinstance(target, ast.Name) or target.id.startswith("_"):
        return None
    loops = [node for node in ast.walk(function) if isinstance(node, (ast.For, ast.While)) and _has(node, statement)]
    bound = [loop for loop in loops if isinstance(loop, ast.For) and target.id in _names(loop.target)]
    first = max((loop.lineno for loop in bound), default=0)
    again = [loop for loop in loops if loop.lineno > first and loop not in bound]
    since = min((loop.lineno for loop in again), default=statement.end_lineno or statement.lineno)
    inside = {id(each) for each in ast.walk(statement)}
    for read in _reads(function, target.id):
        if id(read) not in inside and read.lineno >= since:
            return None
    if again and any(id(read) in inside for read in _reads(function, target.id)):
        return None  # it goes on from what the round before has left
    return target.id, bool(bound)


def _has(loop: ast.stmt, statement: ast.stmt) -> bool:
    return any(node is statement for node in ast.walk(loop))


def _names(target: ast.expr) -> set[str]:
    return {node.id for node in ast.walk(target) if isinstance(node, ast.Name)}


def _reads(node: ast.AST, name: str) -> Iterator[ast.Name]:
    """Where a name is read, but for what inner scopes call so themselves."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Name) and child.id == name and not isinstance(child.ctx, ast.Store):
            yield child
        if not (isinstance(child, _SCOPES) and name in _bound_by(child)):
            yield from _reads(child, name)


def _bound_by(scope: ast.AST) -> set[str]:
    if isinstance(scope, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        return {name for each in scope.generators for name in _names(each.target)}
    arguments = getattr(scope, "args", None)
    return {each.arg for each in ast.walk(arguments) if isinstance(each, ast.arg)} if arguments is not None else set()
