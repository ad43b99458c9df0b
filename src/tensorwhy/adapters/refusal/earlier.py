"""Where a failure began: the first line that gives a tensor of another rank than it gave before.

A step that fails after others went well differs from them somewhere. Its live values are compared with what the same
lines are known to have given: whatever was refused later, the first difference on the way is where that came from.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import msgspec

from tensorwhy.adapters.refusal import way
from tensorwhy.adapters.refusal.context import Context
from tensorwhy.model.facts.refusal import RefusedObject
from tensorwhy.model.location import Location, Marked
from tensorwhy.source import reading


def told(fact: RefusedObject | None, context: Context) -> RefusedObject | None:
    """The fact with the first line on the stack whose result has another rank than before, where one is known."""
    asked = [each.earlier for each in context.vocabularies if each.earlier is not None]
    if fact is None or not asked or not any(way.shapes(each) for each in _values(context)):
        return fact
    for frame, location in context.stack.user_frames():
        for statement, name in _assigned(location, context):
            now = way.shapes(frame.f_locals.get(name))
            place = context.sources.place(location.file, statement)
            found = (
                next((each for earlier in asked if (each := earlier(place, now[0]))), None) if len(now) == 1 else None
            )
            if found is not None:
                said = f"`{name}` has the shape {now[0]} here, and had {found.shape} before"
                mark = Marked.at(context.sources.place(location.file, statement.value or statement), said, "before")
                return msgspec.structs.replace(fact, marks=(*fact.marks, mark), advice=(*found.advice, *fact.advice))
    return fact


def _values(context: Context) -> Iterator[Any]:
    for frame, _ in context.stack.user_frames():
        yield from frame.f_locals.values()


def _assigned(location: Location, context: Context) -> Iterator[tuple[ast.Assign | ast.AnnAssign, str]]:
    """The assignments before a line in its scope, each to a name that has no other there."""
    scope: Any = context.sources.function(location, lambdas=False) or context.sources.tree(location.file)
    nodes = [*reading.own(scope)] if scope is not None else []
    bound = [each.id for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]
    for node in nodes:
        if not isinstance(node, (ast.Assign, ast.AnnAssign)) or node.lineno >= location.line:
            continue
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if len(targets) == 1 and isinstance(targets[0], ast.Name) and bound.count(targets[0].id) == 1:
            yield node, targets[0].id
