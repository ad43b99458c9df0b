"""The way on which a refused object came: followed by identity from frame to frame to the user's line."""

from __future__ import annotations

import ast
import itertools
import types
from collections.abc import Iterator, Sequence
from typing import Any, Literal

import msgspec

from tensorwhy.adapters.refusal import values
from tensorwhy.adapters.refusal.values import MISSING
from tensorwhy.adapters.stack import Frame, Stack
from tensorwhy.model.location import Location
from tensorwhy.recording.frames import locals_of
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_MOST = 4_000
_DEEPEST = 6


class Arrival(msgspec.Struct, frozen=True, kw_only=True):
    """How the user's line handed an object over: as `text` itself, as an element of it, or as a part of an object.

    "copy": what was refused was made of it and has its shape, or is its shape; `held` is then the object itself. `at`
    is the place of the text, `used` that of the whole expression that failed, `call` the function called there.
    """

    how: Literal["operand", "element", "part", "copy"]
    text: str
    at: Location
    used: Location
    call: str
    frame: int
    held: Any = None


def arrival(thing: Any, stack: Stack, sources: Sources, parts: bool = True) -> Arrival | None:
    """How the innermost line of the user's that handed the object over did so; None when no running line has it."""
    own = [index for index, frame in enumerate(stack.frames) if frame.user]
    for index in reversed(own):
        found = _at(thing, stack, index, sources)
        if found is not None:
            return found
    if own:
        found = _copied(thing, stack, own[-1], sources)
        if found is not None:
            return found
    for index in reversed(own) if parts and not values.trivial(thing) else ():
        found = _part(thing, stack, index, sources)
        if found is not None:
            return found
    return None


def passed_down(thing: Any, name: str, index: int, stack: Stack) -> bool:
    """Whether a plain value is a parameter that each function between the user's line and this frame was given.

    Equal numbers and words are everywhere: only what was handed on from call to call is the same one.
    """
    frames = list(reversed(stack.frames[: index + 1]))
    code = frames[0].frame.f_code
    if name not in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]:
        return False
    for frame in frames:
        if frame.user:
            return True
        if not any(values.same(each, thing) or _holds_equal(each, thing) for each in _received(frame)):
            return False
    return False


def _received(frame: Frame) -> list[Any]:
    code, known = frame.frame.f_code, locals_of(frame.frame)
    count = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4) + bool(code.co_flags & 8)
    return [known[name] for name in code.co_varnames[:count] if name in known]


def _holds_equal(container: Any, thing: Any) -> bool:
    if isinstance(container, dict):
        container = list(container.values())
    return isinstance(container, (list, tuple)) and any(
        values.same(each, thing) or (isinstance(each, dict) and _holds_equal(each, thing)) for each in container[:64]
    )


def expression(frame: Frame, sources: Sources) -> ast.AST | None:
    """The expression that the user's frame was evaluating: exact where columns are known, else its statement's."""
    assert frame.location is not None
    location = frame.location
    exact = reading.node_at(location, sources) if location.column is not None else None
    if exact is not None:
        return exact
    statement = sources.statement(location)
    if isinstance(statement, (ast.If, ast.While)):
        return statement.test
    if isinstance(statement, (ast.For, ast.AsyncFor)):
        return statement.iter
    if isinstance(statement, (ast.With, ast.AsyncWith)):
        return statement.items[0].context_expr if len(statement.items) == 1 else None
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return None
    return statement


def written(node: ast.expr) -> str:
    """An expression as it can stand before a point."""
    text = ast.unparse(node)
    return text if isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)) else f"({text})"


def calls(node: ast.AST | None, below: Sequence[Frame]) -> list[ast.Call]:
    """The calls that may have led to the next frames: one where the columns tell, else those that fit their names.

    None where an operator of the same line is as likely.
    """
    if isinstance(node, ast.Call):
        return [node]
    found = [each for each in ast.walk(node) if isinstance(each, ast.Call)] if node is not None else []
    running = {frame.function for frame in itertools.takewhile(lambda frame: not frame.user, below)}
    named = [each for each in found if reading.callee(each) in running]
    if named or node is None or not running:
        return named or found
    return [] if any(isinstance(each, (ast.BinOp, ast.Compare, ast.UnaryOp)) for each in ast.walk(node)) else found


def _at(thing: Any, stack: Stack, index: int, sources: Sources) -> Arrival | None:
    frame = stack.frames[index]
    node = expression(frame, sources)
    below = stack.frames[index + 1 :]
    stored = _stored(thing, below, frame, sources)
    if stored is not None:
        found = _arrival("operand", stored.value, None, frame, index, sources)
        return msgspec.structs.replace(found, call=f"{ast.unparse(stored.targets[0])} = ...")
    candidates = calls(node, below)
    for how, part, call in _operands(thing, node, candidates, frame, below):
        return _arrival(how, part, call, frame, index, sources)
    return None


def _stored(thing: Any, below: Sequence[Frame], frame: Frame, sources: Sources) -> ast.Assign | None:
    """The assignment to an attribute whose object does not take the value."""
    code = below[0].frame.f_code if below and below[0].function == "__setattr__" else None
    if code is None or frame.location is None or below[0].local(code.co_varnames[code.co_argcount - 1]) is not thing:
        return None
    statement = sources.statement(frame.location)
    one = isinstance(statement, ast.Assign) and len(statement.targets) == 1
    return statement if isinstance(statement, ast.Assign) and one else None


def _operands(
    thing: Any, node: ast.AST | None, candidates: list[ast.Call], frame: Frame, below: Sequence[Frame]
) -> Iterator[tuple[Literal["operand", "element"], ast.expr, ast.Call | None]]:
    """The parts of the expression that stand for the object, surest first."""
    whole = not candidates
    parts: list[tuple[ast.expr, ast.Call | None]] = [
        (each, call) for call in candidates for each in (*call.args, *(kept.value for kept in call.keywords))
    ]
    parts += [(call.func.value, call) for call in candidates if isinstance(call.func, ast.Attribute)]
    if whole and node is not None:
        parts += [(each, None) for each in ast.walk(node) if isinstance(each, (ast.Name, ast.Attribute, ast.Subscript))]
    trivial = values.trivial(thing)
    if not trivial:
        for part, call in parts:
            if values.value(part, frame.frame) is thing:
                yield "operand", part, call
    for call in candidates:
        given = _argument(thing, call, frame, below)
        if given is not None:
            yield "operand", given, call
    for part, call in () if trivial else parts:
        for inner in ast.walk(part):
            if inner is part or not isinstance(inner, (ast.Name, ast.Attribute, ast.Subscript)):
                continue
            if values.value(inner, frame.frame) is thing and not _inside_call(inner, part):
                yield "operand", inner, call
        held = values.value(part, frame.frame)
        if held is not MISSING and _holds(held, thing):
            yield "element", part, call


def _inside_call(inner: ast.AST, part: ast.AST) -> bool:
    """Whether a call stands between: what goes into that is not what comes out of it."""
    return any(
        isinstance(each, ast.Call) and any(inner is below for below in ast.walk(each)) for each in ast.walk(part)
    )


def _holds(container: Any, thing: Any, depth: int = 3) -> bool:
    if isinstance(container, dict):
        container = list(container.values())
    if not isinstance(container, (list, tuple)) or depth == 0:
        return False
    return any(each is thing or _holds(each, thing, depth - 1) for each in container[:256])


def _argument(thing: Any, call: ast.Call, caller: Frame, below: Sequence[Frame]) -> ast.expr | None:
    """The argument that the called function received the object as.

    Decorators hand arguments on in `args` and `kwargs`: the first frame without such is the function that was meant.
    """
    if any(isinstance(each, ast.Starred) for each in call.args):
        return None
    outermost: list[Any] | None = None
    for frame in below:
        if frame.user:
            return None
        code, known = frame.frame.f_code, locals_of(frame.frame)
        names = code.co_varnames[: code.co_argcount]
        keywords = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
        rest = code.co_varnames[code.co_argcount + code.co_kwonlyargcount] if code.co_flags & 4 else ""
        positional = [known.get(name, MISSING) for name in names]
        passed = known.get(rest, ()) if rest else ()
        positional += list(passed) if isinstance(passed, tuple) else []
        named: dict[str, Any] = {name: known.get(name, MISSING) for name in (*names, *keywords)}
        extra = code.co_argcount + code.co_kwonlyargcount + bool(rest)
        if code.co_flags & 8 and isinstance(known.get(code.co_varnames[extra]), dict):
            named |= known[code.co_varnames[extra]]
        shift = 1 if _bound(positional, call) else 0
        if not _aligned(positional, call, caller, shift):
            return None
        found: list[ast.expr] = []
        outermost = positional if outermost is None else outermost
        for place, each in enumerate(positional):
            if _replaced(outermost, positional, place):
                continue
            if values.same(each, thing) and 0 <= place - shift < len(call.args):
                found.append(call.args[place - shift])
        found += [kept.value for kept in call.keywords if kept.arg and values.same(named.get(kept.arg, MISSING), thing)]
        fitting = [each for each in dict.fromkeys(found) if not _contradicts(each, thing)]
        if len(fitting) == 1:
            return fitting[0]
        if fitting or not rest or names not in ((), ("self",)):
            return None
    return None


def _replaced(outermost: list[Any], positional: list[Any], place: int) -> bool:
    """Whether an inner function has something of another shape where the call handed something over."""
    if len(outermost) != len(positional):
        return False
    one, other = shapes(outermost[place]), shapes(positional[place])
    return bool(one) and bool(other) and one != other


def _aligned(positional: list[Any], call: ast.Call, caller: Frame, shift: int) -> bool:
    """Whether what is written in the call is what the frame received, as far as both are known."""
    if len(positional) - shift < len(call.args):
        return False
    for node, received in zip(call.args, positional[shift:], strict=False):
        given = values.value(node, caller.frame)
        if given is not MISSING and not values.trivial(given) and received is not given:
            return False
    return True


def _contradicts(node: ast.expr, thing: Any) -> bool:
    return isinstance(node, ast.Constant) and not values.same(node.value, thing)


def _bound(positional: list[Any], call: ast.Call) -> bool:
    """Whether the first of these is the object whose method was called (or that was made, or called itself)."""
    return (
        len(positional) > len(call.args)
        and bool(positional)
        and not isinstance(positional[0], (types.ModuleType, int, str, type(None)))
    )


def _arrival(
    how: Literal["operand", "element", "part", "copy"],
    part: ast.expr,
    call: ast.Call | None,
    frame: Frame,
    index: int,
    sources: Sources,
) -> Arrival:
    assert frame.location is not None
    file, function = frame.location.file, frame.location.function
    used = frame.location
    if used.column is None and call is not None:
        used = reading.where(call, file, function, sources)
    return Arrival(
        how=how,
        text=ast.unparse(part),
        at=reading.where(part, file, function, sources),
        used=used,
        call=ast.unparse(call.func) if call is not None else "",
        frame=index,
    )


def _copied(thing: Any, stack: Stack, index: int, sources: Sources) -> Arrival | None:
    """The one operand with the shape of the object, which a library converted, or looked at the shape of."""
    wanted = shapes(thing) or _as_shape(thing)
    if not wanted:
        return None
    frame, below = stack.frames[index], stack.frames[index + 1 :]
    node = expression(frame, sources)
    for call in calls(node, below):
        given = [*call.args, *(each.value for each in call.keywords)]
        fitting = [each for each in given if _shapes_of(each, frame) == wanted]
        if len(fitting) == 1:
            found = _arrival("copy", fitting[0], call, frame, index, sources)
            held = values.value(fitting[0], frame.frame)
            return msgspec.structs.replace(found, held=None if held is MISSING else held)
    return None


def of_dtype(name: str, stack: Stack, sources: Sources) -> Arrival | None:
    """The one operand of the user's line with a dtype of this name, which a library asked for."""
    index = stack.innermost_user()
    if index is None or not name.startswith("'"):
        return None
    frame, node = stack.frames[index], expression(stack.frames[index], sources)
    for call in calls(node, stack.frames[index + 1 :]):
        given = [*call.args, *(each.value for each in call.keywords)]
        held = [(each, values.value(each, frame.frame)) for each in given]
        fitting = [(each, array) for each, array in held if shapes(array) and repr(_dtype(array)) == name]
        if len(fitting) == 1:
            found = _arrival("copy", fitting[0][0], call, frame, index, sources)
            return msgspec.structs.replace(found, held=fitting[0][1])
    return None


def _dtype(array: Any) -> str:
    return str(getattr(getattr(array, "dtype", None), "name", ""))


def _shapes_of(node: ast.expr, frame: Frame) -> tuple[Any, ...]:
    if isinstance(node, (ast.List, ast.Tuple)):
        parts = [_shapes_of(each, frame) for each in node.elts]
        return tuple(part[0] for part in parts) if parts and all(len(part) == 1 for part in parts) else ()
    held = values.value(node, frame.frame)
    if isinstance(held, (int, float)):  # becomes a tensor without axes
        return ((),)
    return shapes(held) if held is not MISSING else ()


def shapes(thing: Any) -> tuple[Any, ...]:
    """The shape of an array or tensor; of a list of them, all of theirs; nothing for anything else."""
    if isinstance(thing, (list, tuple)):
        parts = [shapes(each) for each in thing[:64]]
        return tuple(part[0] for part in parts) if parts and all(len(part) == 1 for part in parts) else ()
    if isinstance(thing, type) or not hasattr(type(thing), "shape") or not hasattr(type(thing), "dtype"):
        return ()
    try:
        return (tuple(None if size is None else int(size) for size in thing.shape),)
    except (TypeError, ValueError, AttributeError):  # an unknown rank, or a tensor that is gone
        return ()


def _as_shape(thing: Any) -> tuple[Any, ...]:
    """The shapes that a shape, or a list of shapes, is."""
    if isinstance(thing, (list, tuple)) and len(thing) > 1:
        if all(each is None or type(each) is int for each in thing):
            return (tuple(thing),)
        if all(isinstance(each, (list, tuple)) and each and _as_shape(each) for each in thing):
            return tuple(_as_shape(each)[0] for each in thing)
    return ()


def _part(thing: Any, stack: Stack, index: int, sources: Sources) -> Arrival | None:
    """The operand that leads to the object through its attributes and containers."""
    frame = stack.frames[index]
    node = expression(frame, sources)
    below = stack.frames[index + 1 :]
    for call in calls(node, below):
        roots: list[ast.expr] = [*call.args, *(each.value for each in call.keywords), call.func]
        roots += [call.func.value] if isinstance(call.func, ast.Attribute) else []
        for root in roots:
            held = values.value(root, frame.frame)
            if held is not MISSING and not values.trivial(held) and _leads_to(held, thing):
                return _arrival("part", root, call, frame, index, sources)
    return None


def _leads_to(root: Any, thing: Any) -> bool:
    """Whether an object holds another one, through attributes and containers, few steps away."""
    seen = {id(root)}
    waiting: list[tuple[Any, int]] = [(root, 0)]
    while waiting and len(seen) < _MOST:
        each, depth = waiting.pop(0)
        for held in _held(each):
            if held is thing:
                return True
            if id(held) not in seen and depth < _DEEPEST and not values.trivial(held):
                seen.add(id(held))
                waiting.append((held, depth + 1))
    return False


def _held(thing: Any) -> list[Any]:
    if issubclass(type(thing), dict):  # a proxy says that it is what it stands for
        return list(dict.values(thing))
    if issubclass(type(thing), (list, tuple, set, frozenset)):
        return list(thing)[:256]
    if isinstance(thing, types.MethodType):
        return [thing.__self__]
    if isinstance(thing, (types.ModuleType, types.FunctionType, type)):
        return []
    if hasattr(type(thing), "graph"):  # what belongs to a graph leads to everything else in it
        return []
    try:
        return list(object.__getattribute__(thing, "__dict__").values())
    except (AttributeError, TypeError):
        return []
