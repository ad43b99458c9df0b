"""Which statement of a block had something executed: it stands there itself, or in a function that the block calls.

A recorded operation has one place, the innermost of the user's. Which call led there is read from the source: by the
name of the function, through functions that call it in turn, and by the class of what is called where that is a layer
or a model.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from tensorwhy.fixes import statements
from tensorwhy.model.location import Location
from tensorwhy.source import reading
from tensorwhy.source.files import Sources
from tensorwhy.source.reading import last_name

_DEPTH = 3
"""So many functions may lie between a call and the place."""
_CALLED = ("call", "__call__")
Function = ast.FunctionDef | ast.AsyncFunctionDef
_DEFINED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def leading_to(place: Location, file: str, block: Sequence[ast.stmt], but: int, sources: Sources) -> int | None:
    """The position of the statement, other than `but`, that had `place` executed; None where that is not clear."""
    if place.file == file:
        here = statements.at(block, place)
        if here is not None and not isinstance(block[here], _DEFINED):
            return here if here != but else None
    names = _called_as(place, file, sources)
    candidates = [(index, each) for index, each in enumerate(block) if index != but and not isinstance(each, _DEFINED)]
    found = [index for index, each in candidates if names & set(_calls(each))]
    return found[0] if len(found) == 1 else None


def _called_as(place: Location, file: str, sources: Sources) -> set[str]:
    """What a call that leads to a place is written as: names of functions and methods, and of what is called itself."""
    trees = [tree for each in dict.fromkeys((place.file, file)) if (tree := sources.tree(each)) is not None]
    function = next((each for each in _functions(trees[:1]) if _covers(each, place)), None)
    if function is None:
        return set()
    wanted, names = {function}, set[str]()
    for _ in range(_DEPTH):
        now = set().union(*(_written(each, trees) for each in wanted)) - names
        if not now:
            break
        names |= now
        wanted = {each for each in _functions(trees) if now & set(_calls(each))}
    return names


def _written(function: Function, trees: Sequence[ast.AST]) -> set[str]:
    """How calls of a function are written: by its name, or by the names of objects of its class for a `call`."""
    if function.name not in _CALLED:
        return {function.name}
    owner = next(
        (
            each.name
            for tree in trees
            for each in ast.walk(tree)
            if isinstance(each, ast.ClassDef) and function in each.body
        ),
        "",
    )
    return {
        last_name(target)
        for tree in trees
        for each in ast.walk(tree)
        if isinstance(each, ast.Assign) and isinstance(each.value, ast.Call) and last_name(each.value.func) == owner
        for target in each.targets
    } - {""}


def _functions(trees: Sequence[ast.AST]) -> Iterator[Function]:
    """All functions, the inner ones of each file first."""
    for tree in trees:
        yield from reversed([each for each in ast.walk(tree) if isinstance(each, Function)])


def _covers(function: Function, place: Location) -> bool:
    return reading.on_line(function, place.line)


def _calls(node: ast.AST) -> Iterator[str]:
    return (last_name(each.func) for each in ast.walk(node) if isinstance(each, ast.Call))
