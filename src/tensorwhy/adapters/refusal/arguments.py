"""A function of the program's that a library called with other arguments than it takes.

Python raises that in the caller, so no frame of the function tells of it: its signature does.
"""

from __future__ import annotations

import ast
import inspect
import types
from collections.abc import Iterator
from typing import Any

from tensorwhy.adapters import autograph
from tensorwhy.adapters.refusal import anatomy, look, values, way
from tensorwhy.adapters.refusal.context import Context
from tensorwhy.adapters.refusal.values import MISSING
from tensorwhy.adapters.stack import Frame
from tensorwhy.model.facts.refusal import Check, Compared, RefusedObject, Thing
from tensorwhy.model.location import Location
from tensorwhy.recording.locations import UserCode


def find(context: Context) -> RefusedObject | None:
    """The function and what it was given; None where the failure is another one."""
    if type(context.stack.exception) is not TypeError:
        return None
    frame, own = context.stack.raised, context.stack.own
    statement = anatomy.innermost(frame, context.sources)
    for node in ast.walk(statement) if statement is not None and own is not None else ():
        if not isinstance(node, ast.Call):
            continue
        called = values.value(node.func, frame.frame)
        made = of_user(called, context.user)
        unmade = _of_class(node, called, context) if made is None else None
        if unmade is not None:
            return unmade
        given = _arguments(node, frame) if made is not None else None
        if made is None or given is None:
            continue
        try:
            signature = inspect.signature(called)
            signature.bind(*given[0], **given[1])
        except TypeError as refused:
            assert own is not None and own.location is not None
            thing = Thing(
                text=str(getattr(called, "__name__", "")).removeprefix("tf__"),
                what="class" if isinstance(called, type) else "function",
                detail=str(signature),
                made=made,
            )
            return RefusedObject(
                thing=thing, used=own.location, call=context.called(own), how="arguments",
                check=Check(condition=str(refused), sides=tuple(_given(*given, context))),
            )  # fmt: skip
        except ValueError:  # it has no signature
            continue
    return None


def _of_class(node: ast.Call, called: Any, context: Context) -> RefusedObject | None:
    """A class that the program handed over where an object of it is used: its methods lack the object."""
    owner = values.value(node.func.value, context.stack.raised.frame) if isinstance(node.func, ast.Attribute) else None
    given = _arguments(node, context.stack.raised) if isinstance(owner, type) and inspect.isfunction(called) else None
    arrival = way.arrival(owner, context.stack, context.sources) if given is not None else None
    if given is None or arrival is None or arrival.how == "part" or not isinstance(owner, type):
        return None
    try:
        inspect.signature(called).bind(*given[0], **given[1])
    except TypeError as refused:
        text = arrival.text if arrival.how == "operand" else owner.__name__
        return RefusedObject(
            thing=Thing(text=text, what="class"),
            used=arrival.used,
            call=arrival.call,
            how=arrival.how,
            check=Check(by=context.stack.raised.qualified, condition=str(refused)),
            holder=arrival.text if arrival.how != "operand" else "",
            advice=(f"create an object of the class: `{text}()`",),
        )
    return None


def of_user(called: Any, user: UserCode) -> Location | None:
    """Where the function of the program's that is called was written; of a class, what makes its objects."""
    if called is MISSING:
        return None
    function = vars(called).get("__init__") if isinstance(called, type) else called
    function = autograph.unwrapped(getattr(function, "__func__", function))
    code = getattr(function, "__code__", None)
    if not isinstance(code, types.CodeType):
        return None
    written = (
        autograph.original(code.co_filename, code.co_firstlineno) if autograph.is_generated(code.co_filename) else None
    )
    found = written or Location(file=code.co_filename, line=code.co_firstlineno, function=code.co_name)
    return found if user.owns(found.file) else None


def _arguments(node: ast.Call, frame: Frame) -> tuple[list[Any], dict[str, Any]] | None:
    positional: list[Any] = []
    for each in node.args:
        found = values.value(each.value if isinstance(each, ast.Starred) else each, frame.frame)
        if isinstance(each, ast.Starred) and not isinstance(found, (list, tuple)):
            return None
        positional += found if isinstance(each, ast.Starred) else [found]
    named: dict[str, Any] = {}
    for keyword in node.keywords:
        found = values.value(keyword.value, frame.frame)
        if keyword.arg is None and not isinstance(found, dict):
            return None
        named |= {keyword.arg: found} if keyword.arg is not None else found
    return positional, named


def _given(positional: list[Any], named: dict[str, Any], context: Context) -> Iterator[Compared]:
    for each in positional:
        yield Compared(text="", value=_value(each, context))
    for text, each in named.items():
        yield Compared(text=text, value=_value(each, context))


def _value(thing: Any, context: Context) -> str:
    found = context.describe(thing)
    if found is not None:
        return f"{found.what} {found.detail}".strip()
    if type(thing) is dict and look.shown(thing):
        return f"dict with {look.shown(thing)}"
    size = f" of {len(thing)}" if type(thing) in (tuple, list, dict) else ""
    return look.shown(thing) or f"{type(thing).__name__}{size}"
