"""What a function of the program's gave back to a library that had called it, and did not take it."""

from __future__ import annotations

import ast

import msgspec

from tensorwhy.adapters.refusal import values
from tensorwhy.adapters.refusal.anatomy import Anatomy, Read
from tensorwhy.adapters.refusal.arguments import of_user
from tensorwhy.adapters.refusal.context import Context
from tensorwhy.adapters.stack import Frame
from tensorwhy.model.facts.refusal import RefusedObject
from tensorwhy.model.location import Location
from tensorwhy.source.files import Sources


def find(read: Anatomy, context: Context) -> RefusedObject | None:
    """The function whose result the condition reads; None where it reads none, or those of several."""
    own = context.stack.own
    found = [(each, maker) for each in read.reads if each.direct and (maker := _maker(each, context)) is not None]
    if own is None or own.location is None or len({id(each.thing) for each, _ in found}) != 1:
        return None
    given, (name, made) = found[0]
    thing = context.thing(given.thing, context.describe(given.thing), None)
    return RefusedObject(
        thing=msgspec.structs.replace(thing, text="", name="", made=None, calls=()),
        used=_returns(made, context.sources) or made,
        call=context.called(own),
        how="returned",
        check=read.check(context.stack),
        holder=name,
        parked=own.location,
    )


def _maker(read: Read, context: Context) -> tuple[str, Location] | None:
    """The name of the program's function that computed a local variable of the library's, and its line."""
    frame = context.stack.frames[read.frame]
    node = _bound(read.text, frame, context.sources) if read.text.isidentifier() else None
    called = values.value(node.func, frame.frame) if isinstance(node, ast.Call) else values.MISSING
    made = of_user(called, context.user)
    return (str(getattr(called, "__name__", "")), made) if made is not None and not isinstance(called, type) else None


def _bound(name: str, frame: Frame, sources: Sources) -> ast.expr | None:
    """What a local variable was computed by last, other than from itself: `result, more = result`."""
    tree = sources.defined(frame.frame.f_code.co_filename, frame.frame.f_code.co_firstlineno)
    found = [
        node
        for node in (ast.walk(tree) if tree is not None else ())
        if isinstance(node, ast.Assign) and node.lineno <= frame.at.line and not _reads(node.value, name)
        if any(_reads(target, name) for target in node.targets)
    ]
    return max(found, key=lambda node: node.lineno).value if found else None


def _reads(node: ast.expr, name: str) -> bool:
    return any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(node))


def _returns(made: Location, sources: Sources) -> Location | None:
    """The only line that a function returns at."""
    function = sources.function(made) or sources.function(Location(file=made.file, line=made.line + 1))
    nodes = [each for each in ast.walk(function) if isinstance(each, ast.Return)] if function is not None else []
    if isinstance(function, ast.Lambda):
        return sources.place(made.file, function.body)
    return sources.place(made.file, nodes[0]) if len(nodes) == 1 else None
