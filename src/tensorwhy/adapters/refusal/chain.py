"""The chain of exceptions: which one was raised first, and which one a library caught to raise its own in its place."""

from __future__ import annotations

import ast

import msgspec

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.refusal import anatomy
from tensorwhy.adapters.refusal.context import Context
from tensorwhy.adapters.stack import Stack
from tensorwhy.model.facts.refusal import Caught, Check, RefusedObject, Thing
from tensorwhy.source.files import Sources

_LONG = 160


def root(live: LiveFailure) -> Stack | None:
    """The exception that says the same as the one that was raised, and was raised first.

    On its way out an exception is raised anew with a longer text (AutoGraph, Keras); what a library tried and caught
    before it raised its own is another exception.
    """
    raised = str(live.record.message)
    for stack in live.whole():
        text = message(stack.exception)
        if stack.exception is live.exceptions[0] or (text and text in raised):
            return stack if stack.innermost_user() is not None else None
    return None


def message(exception: BaseException) -> str:
    """What an exception says."""
    try:
        return str(exception).strip()
    except Exception:  # the exception's own __str__ may be anybody's
        return ""


def behind(fact: RefusedObject | None, context: Context) -> RefusedObject | None:
    """The fact about an exception, with the failure of the program's own code that the library caught before.

    The library's exception says what it could not do, and often proposes a way around. What failed is elsewhere.
    """
    stack, own = context.stack, context.stack.own
    if own is None or not _in_handler(stack, context.sources):
        return fact
    shown = {id(frame.frame) for frame in stack.frames}
    caught = stack.exception.__context__
    for each in context.live.stacks:
        inner = each.own if each.exception is caught else None
        if inner is not None and id(inner.frame) not in shown and inner.location != own.location:
            known = fact or RefusedObject(
                thing=Thing(what="condition"),
                used=own.location,
                call=context.called(own),
                how="condition",
                check=Check(by=stack.raised.qualified),
            )
            return msgspec.structs.replace(known, caught=Caught(at=inner.location, said=_said(each.exception)))
    return fact


def _in_handler(stack: Stack, sources: Sources) -> bool:
    """Return whether the library raised while it handled another exception."""
    line = stack.raised.at.line
    return not stack.raised.user and any(
        each.lineno <= line <= (each.end_lineno or 0)
        for node in anatomy.around(stack.raised, sources)
        if isinstance(node, ast.Try)
        for each in node.handlers
    )


def _said(exception: BaseException) -> str:
    lines = [line.strip() for line in message(exception).splitlines() if line.strip()]
    return f"{type(exception).__name__}: {lines[0] if lines else ''}"[:_LONG]
