"""Who gave None? Identity says nothing of None, so the name that held it is followed through the sources.

A function that ends without a `return` gives None; the next layer is then called on it, often in another function.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Sequence
from types import FunctionType

from tensorwhy.adapters.keras_common.failures import lookup
from tensorwhy.adapters.stack import Frame, Stack
from tensorwhy.model.location import Location
from tensorwhy.recording import bindings
from tensorwhy.recording.locations import UserCode
from tensorwhy.source import reading
from tensorwhy.source.files import Sources


def result(
    stack: Stack, upto: int, path: Sequence[object], user: UserCode, sources: Sources
) -> tuple[str, Location | None, str]:
    """(name, call, function): what the user calls the None that the frame at `upto` got, and the call that gave it.

    `path` leads to the None within the first argument. The call is the one of a function of the user's without a
    result; it is None where there is no such call, or more than one.
    """
    calls = [call for call in stack.frames[:upto] if call.user]
    called = reading.call_at(calls[-1].location, sources) if calls and calls[-1].location is not None else None
    node = reading.element(reading.argument(called, 0, "inputs"), path) if called is not None else None
    name = ast.unparse(node) if isinstance(node, (ast.Name, ast.Attribute)) else ""
    for outer, call in zip([None, *calls][::-1][1:], calls[::-1]):
        if node is None or call.location is None:
            break
        found = list(_givers(node, call, user, sources))
        if found:
            return (name, *found[0]) if len(found) == 1 else (name, None, "")
        position = _position(node, call)
        if position is None or outer is None or outer.location is None:
            break
        asked = reading.call_at(outer.location, sources)
        node = reading.argument(asked, *position) if asked is not None else None
    return name, None, ""


def _givers(node: ast.expr, call: Frame, user: UserCode, sources: Sources) -> Iterator[tuple[Location, str]]:
    """The calls without a result among what a name is bound to in its function, or the expression itself."""
    assert call.location is not None
    values = [node] if isinstance(node, ast.Call) else bindings.values(node, call.frame, call.location, sources)
    for value in values:
        if isinstance(value, ast.Call) and _gives_nothing(_function(value.func, call), user, sources):
            place = reading.where(value, call.location.file, call.location.function, sources)
            yield place, ast.unparse(value.func)


def _function(node: ast.expr, call: Frame) -> object:
    """What is called; a method is looked up on the class of its object, which runs no code."""
    found = lookup.value(node, call)
    if found is not None or not isinstance(node, ast.Attribute):
        return found
    return inspect.getattr_static(type(lookup.value(node.value, call)), node.attr, None)


def _gives_nothing(function: object, user: UserCode, sources: Sources) -> bool:
    """Return whether a function of the user ends without a `return` of anything."""
    plain = getattr(function, "__func__", function)
    if not isinstance(plain, FunctionType) or not user.owns(plain.__code__.co_filename):
        return False
    returned = bindings.returned(plain.__code__, sources)
    return returned is not None and not returned


def _position(node: ast.expr, call: Frame) -> tuple[int, str] | None:
    """(position, keyword) of a name among the parameters of its function, as the caller counts them."""
    code = call.frame.f_code
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    if not isinstance(node, ast.Name) or node.id not in names:
        return None
    bound = bool(names) and names[0] in ("self", "cls")
    return names.index(node.id) - bound, node.id
