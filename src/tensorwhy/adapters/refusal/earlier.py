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
    values = [*_values(context)] if fact is not None and asked else []
    found = next((each for earlier in asked if (each := earlier([(at, now) for at, _, now in values]))), None)
    if fact is None or found is None:
        return fact
    turn, before = found
    at, name, now = values[turn]
    mark = Marked.at(at, f"`{name}` has the shape {now} here, and had {before.shape} before", "before")
    return msgspec.structs.replace(fact, marks=(*fact.marks, mark), advice=(*before.advice, *fact.advice))


def _values(context: Context) -> Iterator[tuple[Location, str, tuple[int, ...]]]:
    """What the names on the stack stand for, in the order of the statements: place, name, and shape."""
    for frame, location in context.stack.user_frames():
        for statement, name in _assigned(location, context):
            shapes = way.shapes(frame.f_locals.get(name))
            if len(shapes) == 1:
                yield context.sources.place(location.file, statement.value or statement), name, shapes[0]


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
