"""The last batch of a loop, where it has fewer rows than the others and is what a refused tensor was computed from."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import FrameType
from typing import Any

import msgspec

from tensorwhy.adapters.refusal import values, way
from tensorwhy.adapters.refusal.context import Context
from tensorwhy.adapters.refusal.described import Batches
from tensorwhy.adapters.refusal.values import MISSING
from tensorwhy.model.facts.refusal import RefusedObject, Thing
from tensorwhy.model.location import Location, Marked
from tensorwhy.source import reading


def told(fact: RefusedObject | None, context: Context) -> RefusedObject | None:
    """The fact with the loop that came to its last batch, if a size of what was refused is the size of that."""
    own = context.stack.own
    if fact is None or own is None or fact.fixed is not None or fact.caught is not None:
        return fact
    sizes = {size for each in (fact.thing, *fact.others) for size in _sizes(each, own.frame)}
    for frame, location in reversed(context.stack.user_frames()):
        for loop in _loops(location, context):
            found = _batches(loop, frame, context)
            rows = {shape[0] for each in _targets(loop, frame) for shape in way.shapes(each) if shape}
            if found is None or len(rows) != 1 or not sizes & rows:
                continue
            text, batches = found
            here = rows.pop()
            if type(here) is int and 0 < here < batches.size:
                said = f"the last batch of `{text}` has {here} rows instead of {batches.size}"
                at = Marked.at(reading.place(loop.iter, location, context.sources), said, "batch")
                return msgspec.structs.replace(fact, marks=(*fact.marks, at), advice=(*batches.advice, *fact.advice))
    return fact


def _sizes(thing: Thing, frame: FrameType) -> Iterator[Any]:
    """The sizes of what has a name on the line that failed."""
    try:
        node = ast.parse(thing.text, mode="eval").body if thing.text else None
    except SyntaxError:
        return
    for shape in way.shapes(values.value(node, frame)):
        yield from shape


def _loops(location: Location, context: Context) -> list[ast.For]:
    """The loops whose body a line stands in, innermost first."""
    scope: Any = context.sources.function(location, lambdas=False) or context.sources.tree(location.file)
    found = [
        each
        for each in (reading.own(scope) if scope is not None else ())
        if isinstance(each, ast.For) and any(reading.on_line(inner, location.line) for inner in each.body)
    ]
    return sorted(found, key=lambda each: -each.lineno)


def _batches(loop: ast.For, frame: FrameType, context: Context) -> tuple[str, Batches] | None:
    """The one thing that a loop reads batches from, as it is written there."""
    found: dict[str, Batches] = {}
    for node in ast.walk(loop.iter):
        held = values.value(node, frame) if isinstance(node, (ast.Name, ast.Attribute)) else MISSING
        for each in context.vocabularies if held is not MISSING else ():
            batches = each.batches(held) if each.batches is not None else None
            if batches is not None:
                found[ast.unparse(node)] = batches
    return next(iter(found.items())) if len(found) == 1 else None


def _targets(loop: ast.For, frame: FrameType) -> Iterator[Any]:
    """What the names of a loop stand for now."""
    for node in ast.walk(loop.target):
        if isinstance(node, ast.Name) and (held := values.value(node, frame)) is not MISSING:
            yield from values.leaves(held) if isinstance(held, values.CONTAINERS) else (held,)
