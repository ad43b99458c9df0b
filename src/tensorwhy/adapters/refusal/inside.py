"""In which object of the program's a library failed: the layer, metric or loss whose code was running.

A call such as `fit` runs all of them, and an exception from there names none of the program's lines. The innermost
frame of the library that belongs to one tells: by its object, by its class, or by the function that the program names.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from tensorwhy.adapters.refusal import anatomy, values
from tensorwhy.adapters.refusal.comparing import Conditions
from tensorwhy.adapters.refusal.context import Context, described_as
from tensorwhy.adapters.stack import Stack
from tensorwhy.model.facts.refusal import RefusedObject, Thing
from tensorwhy.model.location import Location
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_LETTERS = 6


def within(fact: RefusedObject | None, context: Context) -> RefusedObject | None:
    """The fact, with the object of the program's whose code the library was running."""
    asked = any(each.part is not None for each in context.vocabularies)
    if (fact is not None and (fact.check.requires or fact.within is not None)) or not asked:
        return fact
    known = fact or Conditions(context).bare(anatomy.of(context.stack, context.sources, context.user))
    found = _running(known, context) if known is not None else None
    return msgspec.structs.replace(known, within=found) if known is not None and found is not None else fact


def _running(fact: RefusedObject, context: Context) -> Thing | None:
    """The object whose code the innermost frames ran; None where the user's own line is about it.

    Its text is the program's own for it, where the line that failed calls it.
    """
    stack, sources = context.stack, context.sources
    last = stack.innermost_user()
    files = {place.file for _, place in stack.user_frames()}
    for frame in reversed(stack.frames[0 if last is None else last + 1 :]):
        held = frame.local("self")
        described = context.part(held) if held is not None else None
        found = described_as("", described) if described is not None else None
        if held is not None and context.describe(held) is None:
            found = found or one_call(type(held).__name__, files, sources)
        found = found or _named(frame.function, files, sources)
        if found is not None and found.made is not None:
            near = any(_same(found.made, each) for each in (fact.used, fact.thing.made, fact.parked))
            return None if near else msgspec.structs.replace(found, text=_called(fact.call, held, stack))
    return None


def _called(call: str, held: Any, stack: Stack) -> str:
    """What the line that failed calls this object, where it calls it, or a method of it."""
    own = stack.own
    try:
        node: ast.expr | None = ast.parse(call, mode="eval").body if own is not None and call else None
    except SyntaxError:
        return ""
    while isinstance(node, (ast.Name, ast.Attribute)) and own is not None:
        if values.value(node, own.frame) is held:
            return ast.unparse(node)
        node = node.value if isinstance(node, ast.Attribute) else None
    return ""


def one_call(name: str, files: Iterable[str], sources: Sources) -> Thing | None:
    """The object of a library's class that the program creates in exactly one place."""
    made = [
        sources.place(file, node)
        for file, node in _nodes(files, sources)
        if isinstance(node, ast.Call) and reading.callee(node) == name
    ]
    return Thing(what="object", name=name, made=made[0]) if len(made) == 1 else None


def _named(function: str, files: Iterable[str], sources: Sources) -> Thing | None:
    """The one place where the program gives the name of a library's function as a word: a loss."""
    if len(function) < _LETTERS or function.startswith("_"):
        return None
    places = [
        sources.place(file, node)
        for file, node in _nodes(files, sources)
        if isinstance(node, ast.Constant) and node.value == function
    ]
    return Thing(what="function", name=function, made=places[0]) if len(places) == 1 else None


def _nodes(files: Iterable[str], sources: Sources) -> Iterator[tuple[str, ast.AST]]:
    for file in sorted(files):
        for node in sources.nodes(file):
            yield file, node


def _same(one: Location, other: Location | None) -> bool:
    return other is not None and (one.file, one.line) == (other.file, other.line)
