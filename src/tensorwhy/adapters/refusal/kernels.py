"""What failed below Python: the operation of a graph, with its operands as the program calls them."""

from __future__ import annotations

import ast
from collections.abc import Callable

from tensorwhy.adapters.refusal import inside, relation
from tensorwhy.adapters.refusal.context import Context, described_as
from tensorwhy.adapters.refusal.described import Described, Kernel
from tensorwhy.model.facts.refusal import Check, RefusedObject, Thing
from tensorwhy.model.location import Location
from tensorwhy.source.files import Sources


def failed(told: str, context: Context) -> RefusedObject | None:
    """The call of the user's line, where nothing but a kernel's words is known."""
    own = context.stack.own
    if own is None or own.location is None:
        return None
    what = Thing(what="condition")
    return RefusedObject(
        thing=what, used=own.location, call=context.called(own), how="condition", check=Check(condition=told)
    )  # fmt: skip


def of_node(
    found: Kernel, told: str, context: Context, operands: Callable[[], RefusedObject | None]
) -> RefusedObject | None:
    """The operation, with what its own line gives it, or else with the operands of the line that failed."""
    told = found.says or told
    written = context.sources.statement(found.used)
    names = {ast.unparse(each) for each in relation.names(written)} if written is not None else set()
    things = [
        described_as(_text(name, each, names, found.used, context.sources), each) for name, each in found.operands
    ]
    named = [each for each in things if each.text or each.name]
    within = described_as("", found.within) if found.within is not None else None
    files = {place.file for _, place in context.stack.user_frames()}
    for name in reversed(found.methods) if within is None else ():
        within = within or inside.one_call(name, files, context.sources)
    own = context.stack.own
    if found.fixed is not None:
        return RefusedObject(
            thing=next(iter(named), things[0] if things else Thing(what="operation")),
            used=found.used,
            call=found.operation,
            how="condition",
            check=Check(condition=told),
            within=within,
            fixed=found.fixed,
        )
    given = operands() if not named and not found.says and own is not None and own.location is not None else None
    if given is not None and given.used.line == found.used.line:
        return given  # the library made the operation below this call, out of what the call was given
    elif not named and within is None and not found.says and own is not None and own.location == found.used:
        return None  # its words alone would only repeat the exception
    return RefusedObject(
        thing=named[0] if named else things[0] if things else Thing(what="operation"),
        others=tuple(named[1:]),
        used=found.used,
        call=found.operation,
        how="operand" if named else "condition",
        check=Check(condition=told),
        within=within,
        advice=found.advice,
        marks=found.marks,
    )


def _text(name: str, described: Described, names: set[str], used: Location, sources: Sources) -> str:
    """What the line of a failed operation calls an operand: a parameter, or what its own line is assigned to."""
    made = described.made
    elsewhere = made is not None and (made.file, made.line) != (used.file, used.line)
    bound = sources.names(made) if made is not None and elsewhere else ()
    return next((each for each in (name, *bound) if each in names), "")
