"""Loops in loops over what can be read only once: from its second turn on, the inner one has nothing to read."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from tensorwhy.model.location import Location
from tensorwhy.source.files import Sources

_ONCE = frozenset({"zip", "map", "filter", "enumerate", "iter", "reversed"})
_AROUND = frozenset({"enumerate", "tqdm", "trange", "progress"})
_LEAVING = (ast.Break, ast.Return)


class Once(NamedTuple):
    """A name that is bound to an iterator, before both loops: where that is `made`, as which `text`, and the loops."""

    name: str
    text: str
    made: Location
    outer: Location
    loop: Location


def read_once(inside: Location | None, sources: Sources) -> Once | None:
    """The iterator that the loop around a line reads, where another loop around that never makes it again."""
    tree = sources.tree(inside.file) if inside is not None else None
    if inside is None or tree is None:
        return None
    scope = sources.function(inside, lambdas=False) or tree
    loops = [each for each in _own(scope) if isinstance(each, (ast.For, ast.While)) and _holds(each, inside.line)]
    for at, inner in enumerate(loops):
        name = _name(inner.iter) if isinstance(inner, ast.For) else ""
        if not name or not at or any(isinstance(each, _LEAVING) for each in _own(inner)):
            continue
        bound = [each for each in _own(scope) if isinstance(each, ast.Name) and each.id == name and _binds(each)]
        made = next((each for each in _own(scope) if isinstance(each, ast.Assign) and bound == each.targets), None)
        outer = loops[at - 1]
        if made is None or _holds(outer, made.lineno) or _is_single(outer, tree) or not _is_iterator(made.value, tree):
            continue
        text = ast.unparse(made.value)
        places = (sources.place(inside.file, each) for each in (made, outer, inner))
        return Once(name, text if len(text) <= 60 else name, *places)
    return None


def _own(scope: ast.AST) -> Iterator[ast.AST]:
    """What is in a scope, from the outside in, without the functions in it."""
    for each in ast.iter_child_nodes(scope):
        if not isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            yield each
            yield from _own(each)


def _holds(loop: ast.stmt, line: int) -> bool:
    return loop.lineno < line <= (loop.end_lineno or loop.lineno)


def _is_single(loop: ast.For | ast.While, tree: ast.Module) -> bool:
    """Whether a loop makes only one turn, as is written there or where the number of turns is set."""
    read = loop.iter if isinstance(loop, ast.For) else None
    if not isinstance(read, ast.Call) or _called(read) != "range" or len(read.args) != 1:
        return isinstance(read, (ast.List, ast.Tuple)) and len(read.elts) < 2
    turns = [read.args[0], *_set(_last(read.args[0]), tree)]
    return any(isinstance(each, ast.Constant) and each.value in (0, 1) for each in turns)


def _set(name: str, tree: ast.Module) -> Iterator[ast.expr]:
    """What a name is set to somewhere, or an argument of this name."""
    for each in ast.walk(tree):
        names = [_last(target) for target in each.targets] if isinstance(each, ast.Assign) else []
        if isinstance(each, (ast.Assign, ast.keyword)) and name in (names or [str(getattr(each, "arg", ""))]):
            yield each.value


def _last(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")


def _binds(node: ast.Name) -> bool:
    return not isinstance(node.ctx, ast.Load)


def _name(read: ast.expr) -> str:
    """The name that a loop reads, whatever counts its turns."""
    while isinstance(read, ast.Call) and read.args and _called(read) in _AROUND:
        read = read.args[0]
    return read.id if isinstance(read, ast.Name) else ""


def _called(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def _is_iterator(value: ast.expr, tree: ast.Module) -> bool:
    """Whether an expression gives an iterator that comes to an end."""
    if isinstance(value, ast.GeneratorExp):
        return True
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Name):
        return False
    name = value.func.id
    defined = [each for each in tree.body if isinstance(each, ast.FunctionDef) and each.name == name]
    if defined:
        inside = [each for function in defined for each in _own(function)]
        endless = any(isinstance(each, ast.While) for each in inside)
        return any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in inside) and not endless
    return name in _ONCE and not any(
        "cycle" in ast.unparse(each) or "count" in ast.unparse(each) for each in value.args
    )
