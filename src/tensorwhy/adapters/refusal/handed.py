"""What a library gave to a function of the program's, and the program took apart in another way than it is.

A dict without the key, a tuple of another length: Python itself refuses, in the program's own line. That is no slip of
the program alone where a library decided what is in there, because of another line of the program's.
"""

from __future__ import annotations

import ast
import difflib
import dis
import inspect
from collections.abc import Iterator
from typing import Any

from tensorwhy.adapters.refusal import values, way
from tensorwhy.adapters.refusal.context import Context
from tensorwhy.adapters.stack import Frame, Stack, UserFrame
from tensorwhy.model.facts.refusal import RefusedObject, Thing
from tensorwhy.model.location import Location
from tensorwhy.source.files import Sources, walked

_MOST = 6


def find(context: Context) -> RefusedObject | None:
    """The value that a line looks up a missing key in, or unpacks into another number of names."""
    sources, own, error = context.sources, context.stack.own, context.stack.exception
    if own is None or not context.stack.raised.user:
        return None
    for asked, found in lookups(own, error, sources):
        from_ = _origin(asked.value, context)
        if from_ is not None:
            thing = Thing(text=ast.unparse(asked.value), what="dict", detail=_parts(found, context))
            return _fact(own, thing, f"the key {error.args[0]!r}", from_, _near(found, error))
    node, names = _unpacked(own, sources) if isinstance(error, (ValueError, TypeError)) else (None, 0)
    if node is None or not is_taken_apart(error):
        return None
    held, from_ = values.value(node, own.frame), _origin(node, context)
    if from_ is None or (isinstance(held, (tuple, list)) and len(held) == names):
        return None
    text, parts = ast.unparse(node), len(held) if isinstance(held, (tuple, list)) else 0
    detail = _parts(held, context) if parts else getattr(context.describe(held), "detail", "")
    advice = f"take all {parts} parts of `{text}`" if parts else f"use `{text}` as it is"
    thing = Thing(text=text, what=type(held).__name__, detail=detail)
    return _fact(own, thing, f"{names} names", from_, (f"{advice}, or change what `{from_[0]}` is given",))


def lookups(own: UserFrame, error: BaseException, sources: Sources) -> Iterator[tuple[ast.Subscript, dict[Any, Any]]]:
    """The look-ups of a failed line in a dict that has not the key of the error."""
    key = error.args[0] if isinstance(error, KeyError) and error.args else None
    node = way.expression(own, sources) if key is not None else None
    for each in ast.walk(node) if node is not None else ():
        held: Any = values.value(each.value, own.frame) if isinstance(each, ast.Subscript) else None
        asked = values.value(each.slice, own.frame) if isinstance(each, ast.Subscript) else values.MISSING
        fits = isinstance(held, dict) and held and (asked is values.MISSING or asked == key) and _is_absent(key, held)
        if isinstance(each, ast.Subscript) and fits:
            yield each, held


def giver(stack: Stack, node: ast.expr, sources: Sources) -> UserFrame | None:
    """The program's call in which a library gave this value to a function of the program's, as an argument."""
    own = stack.own
    if own is None or not isinstance(node, ast.Name) or _bound(node.id, own, sources) is not None:
        return None
    function = sources.function(own.location)
    arguments = function.args if function is not None else None
    if arguments is None or node.id not in {
        each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    }:
        return None
    index = stack.frames.index(own)
    while index and (above := stack.caller(index)) is not None and _is_same(above, own):
        index = stack.frames.index(above)
    return stack.caller(index) if index and not stack.frames[index - 1].user else None


def _origin(node: ast.expr, context: Context) -> tuple[str, Location | None] | None:
    """The call by which a library gave this value, as an argument or as its result, and where it is."""
    sources, own = context.sources, context.stack.own
    caller = giver(context.stack, node, sources)
    if caller is not None:
        return called(caller, sources), caller.location
    made = _bound(node.id, own, sources) if own is not None and isinstance(node, ast.Name) else None
    if own is None or not isinstance(made, ast.Call) or not _is_library(made, context):
        return None
    return ast.unparse(made.func), sources.place(own.location.file, made)


def _is_library(call: ast.Call, context: Context) -> bool:
    """Return whether a call in the user's line runs a function of a library, or a library's method."""
    own, function = context.stack.own, call.func
    if own is None:
        return False
    owner = values.value(function.value, own.frame) if isinstance(function, ast.Attribute) else None
    if isinstance(function, ast.Attribute) and context.describe(owner) is not None:
        called = inspect.getattr_static(type(owner), function.attr, None)
    else:
        called = values.value(function, own.frame)
    code = getattr(inspect.unwrap(called) if callable(called) else None, "__code__", None)
    return code is not None and not context.user.owns(code.co_filename)


def _bound(name: str, own: UserFrame, sources: Sources) -> ast.expr | None:
    """What the last statement above a line gives this name, in the same function."""
    scope = sources.function(own.location) or sources.tree(own.location.file)
    found: ast.expr | None = None
    for node in walked(scope) if scope is not None else ():
        targets = node.targets if isinstance(node, ast.Assign) and node.lineno < own.location.line else []
        names = {each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)}
        if name in names and isinstance(node, ast.Assign):
            found = node.value
    return found


def unpacking(stack: Stack, sources: Sources) -> tuple[int, UserFrame | None]:
    """Into how many names the failed line unpacks what a library gave its function, and the program's call that did."""
    own = stack.own
    node, names = _unpacked(own, sources) if own is not None else (None, 0)
    caller = giver(stack, node, sources) if node is not None else None
    return (names, caller) if caller is not None else (0, None)


def called(frame: UserFrame, sources: Sources) -> str:
    """What a line calls, as it is written."""
    node = way.expression(frame, sources)
    return ast.unparse(node.func) if isinstance(node, ast.Call) else sources.expression(frame.location)


def _is_same(one: UserFrame, other: UserFrame) -> bool:
    """Return whether both run one function of the program's: AutoGraph makes several of one."""
    here, there = one.location, other.location
    return one.converted and (here.file, here.line, here.function) == (there.file, there.line, there.function)


def _is_absent(key: Any, held: dict[Any, Any]) -> bool:
    try:
        return key not in held
    except TypeError:  # no key at all
        return False


def _unpacked(own: Frame, sources: Sources) -> tuple[ast.expr | None, int]:
    """What the failed statement takes apart, and into how many names."""
    statement = sources.statement(own.location) if own.location is not None else None
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    if not isinstance(statement, ast.Assign) or not isinstance(target, (ast.Tuple, ast.List)):
        return None, 0
    if any(isinstance(each, ast.Starred) for each in target.elts):
        return None, 0
    return statement.value, len(target.elts)


def _fact(
    own: UserFrame, thing: Thing, call: str, origin: tuple[str, Location | None], advice: tuple[str, ...]
) -> RefusedObject:
    return RefusedObject(
        thing=thing,
        used=own.location,
        call=call,
        how="handed",
        holder=origin[0],
        parked=origin[1],
        advice=advice,
    )


def _parts(held: Any, context: Context) -> str:
    if isinstance(held, dict):
        return f"with the keys {', '.join([repr(each) for each in held][:_MOST])}"
    said = []
    for each in held[:_MOST]:
        known = context.describe(each)
        said.append(f"{known.what} {known.detail}".strip() if known is not None else type(each).__name__)
    return f"of {len(held)}: {', '.join(said)}"


def _near(held: dict[Any, Any], error: BaseException) -> tuple[str, ...]:
    names = [each for each in held if isinstance(each, str)]
    near = difflib.get_close_matches(str(error.args[0]), names, n=1)
    return (f"look for `{near[0]!r}`, if that is meant",) if near else ("look for one of the keys that there are",)


def is_taken_apart(error: BaseException) -> bool:
    """Return whether the last instruction of the frame that raised unpacks a value."""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    code = last.tb_frame.f_code.co_code if last is not None else b""
    return last is not None and dis.opname[code[last.tb_lasti]].startswith("UNPACK")
