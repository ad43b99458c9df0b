"""Whose a refused value is: a shape or a setting by itself does not tell the object that a library read it from."""

from __future__ import annotations

import ast
from typing import Any

import msgspec

from tensorwhy.adapters.refusal import anatomy, look, values
from tensorwhy.adapters.refusal.anatomy import Read
from tensorwhy.adapters.refusal.context import Context
from tensorwhy.adapters.refusal.look import Look
from tensorwhy.adapters.refusal.values import MISSING


class Owner(msgspec.Struct, frozen=True):
    """The object, and the attribute of it that the value is."""

    thing: Any
    attribute: str


def of(read: Read, context: Context) -> Owner | None:
    """The one object whose attribute a value is, in the innermost frame of a library that was reading it there."""
    if values.trivial(read.thing):
        return None
    last = context.stack.innermost_user()
    for index in range(read.frame, -1 if last is None else last, -1):
        frame = context.stack.frames[index]
        statement = anatomy.innermost(frame, context.sources)
        evaluated = Look(frame.frame, context.user)
        found: dict[int, Owner] = {}
        for node in ast.walk(statement) if statement is not None else ():
            attribute = node.func if isinstance(node, ast.Call) and not node.args and not node.keywords else node
            own = isinstance(attribute, ast.Attribute) and ast.unparse(attribute.value) in ("self", "cls")
            if isinstance(attribute, ast.Attribute) and not own and _is(evaluated.at(node), read.thing):
                thing = values.value(attribute.value, frame.frame)
                if thing is not MISSING and context.describe(thing) is not None:
                    found[id(thing)] = Owner(thing, "shape" if look.is_shape(read.thing) else attribute.attr)
        if found:
            return next(iter(found.values())) if len(found) == 1 else None
    return None


def _is(one: Any, other: Any) -> bool:
    """Return whether this is the value: of shapes, which a library makes anew when it is asked, an equal one."""
    if look.is_shape(one) and look.is_shape(other):
        return bool(look.shown(one)) and look.shown(one) == look.shown(other)
    return one is other
