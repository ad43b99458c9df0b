"""Whether a program broke off at a None: where the answer of a gradient question was read, there or further out."""

from __future__ import annotations

import ast

from tensorwhy.model.location import Location
from tensorwhy.source.answers.calls import call_at
from tensorwhy.source.answers.carriers import Carriers, Scope, scope_of
from tensorwhy.source.files import Sources


def broke_off(
    sources: Sources, places: tuple[Location, ...], frames: tuple[Location, ...], handled: bool = False
) -> bool:
    """True if an exception went through a function that the answer was returned to, in a statement that reads it.

    `places` are the call that asked and the calls that led there, `frames` those that the exception went through. In
    the function that asked, any later line counts: the rest of it is about that answer. The rest of a module is about
    more than that, and so is that of a function where a None is `handled`.
    """
    if not handled and any(_after(places[0], frame) for frame in frames if frame.function != "<module>"):
        return True
    for place in places:
        tree, call = sources.tree(place.file), call_at(sources, place)
        if tree is None or call is None:
            return False
        scope = scope_of(call, tree)
        carriers = Carriers(call, set())
        carriers.spread(scope)
        for frame in frames:
            statement = sources.statement(frame) if _after(place, frame) else None
            if statement is not None and carriers.handed_on(statement):
                return True
        if not _returned(scope, carriers):
            return False
    return False


def _after(place: Location, frame: Location) -> bool:
    return place.file == frame.file and _same(place.function, frame.function) and frame.line >= place.line


def _same(one: str, other: str) -> bool:
    """True if two names are those of one function: what a graph kept of a line has the last part of the name alone."""
    bare = "." not in one or "." not in other
    return one == other or (bare and one.rpartition(".")[2] == other.rpartition(".")[2])


def _returned(scope: Scope, carriers: Carriers) -> bool:
    if isinstance(scope, ast.Lambda):
        return carriers.handed_on(scope.body)
    return any(
        isinstance(node, ast.Return) and node.value is not None and carriers.handed_on(node.value)
        for node in ast.walk(scope)
    )
