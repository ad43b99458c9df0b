"""What is said of an object, a call and a frame of a failure: its words, what it is called, and where it was made."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from tensorwhy.adapters.refusal import parked, values, way
from tensorwhy.adapters.refusal.described import Described, FrameRule
from tensorwhy.adapters.refusal.way import Arrival
from tensorwhy.adapters.stack import Frame, Stack
from tensorwhy.model.facts.refusal import Thing
from tensorwhy.model.location import Location
from tensorwhy.recording import bindings
from tensorwhy.recording.locations import UserCode
from tensorwhy.source.files import Sources


class Telling:
    """Tells of what is on one stack. `describe` has the words of the adapters."""

    def __init__(
        self, stack: Stack, describe: Callable[[Any], Described | None], sources: Sources, user: UserCode
    ) -> None:
        self._stack = stack
        self._describe = describe
        self._sources = sources
        self._user = user

    def thing(self, thing: Any, described: Described | None, arrival: Arrival | None, text: str = "") -> Thing:
        given = arrival is not None and (arrival.how == "operand" or arrival.held is thing)
        text = text or (arrival.text if arrival is not None and given else "")
        upto = (arrival.frame + 1) if arrival is not None else None
        origin = bindings.Origin()
        if not values.trivial(thing):
            # The line that asked a helper for it: what is made there may be right for others.
            origin = bindings.origin(thing, self._stack.user_frames(upto), self._sources, self._user, depth=0)
        if described is not None:
            return Thing(
                text=text or origin.name,
                what=described.what,
                name=described.name,
                detail=described.detail,
                made=(made := described.made or origin.location),
                calls=self._others(described.calls) or self._called_from(made),
            )
        detail = self._shapes(thing) or _short(thing)
        return Thing(text=text or origin.name, what=_plainly(thing), detail=detail, made=origin.location)

    def as_thing(self, thing: Any, described: Described | None, text: str) -> Thing:
        return self.thing(thing, described, None, text=text)

    def _shapes(self, thing: Any) -> str:
        """Of a list of tensors what each of them is."""
        parts = [self._describe(each) for each in thing[:4]] if isinstance(thing, (list, tuple)) else []
        return ", ".join(each.detail for each in parts if each is not None)

    def _others(self, calls: tuple[Location, ...]) -> tuple[Location, ...]:
        """The lines that led to the object, without those that are still running."""
        running = {(each.location.file, each.location.line) for each in self._stack.frames if each.location is not None}
        return tuple(each for each in calls if (each.file, each.line) not in running)

    def _called_from(self, made: Location | None) -> tuple[Location, ...]:
        """Where a helper that made the object was called, where only one line does so."""
        caller = parked.caller_of(made, self._sources) if made is not None else None
        return self._others((caller, made)) if caller is not None and made is not None else ()

    def called(self, own: Frame) -> str:
        written = self.written(own)
        if isinstance(written, ast.Call):
            return ast.unparse(written.func)
        found = written if isinstance(written, ast.expr) else getattr(written, "value", None)
        if isinstance(found, ast.expr):
            return ast.unparse(found)
        return self._sources.expression(own.location) if own.location is not None else ""

    def written(self, own: Frame) -> ast.AST | None:
        """What failed in the user's line: its first call, where columns do not tell, unless that is surely another."""
        node = way.expression(own, self._sources)
        last = self._stack.innermost_user()
        below = self._stack.frames[last + 1 :] if last is not None else ()
        operator = isinstance(node, (ast.BinOp, ast.Compare, ast.UnaryOp)) and not below
        exact = operator and own.location is not None and own.location.column is not None
        calls = [] if exact else way.calls(node, below)
        return calls[0] if calls else node

    def method_called(self, own: Frame, index: int) -> str:
        """The method of an object of the program's that led to a frame, where a library called it."""
        last = self._stack.innermost_user()
        for frame in self._stack.frames[0 if last is None else last + 1 : index]:
            held = frame.local("self")
            if held is not None and not frame.function.startswith("_") and self._describe(held) is not None:
                names = bindings.named(held, own.frame)
                return f"{names[0]}.{frame.function}" if names else ""
        return ""

    def around(self, rule: FrameRule, index: int) -> Location | None:
        """The user's line that had the surrounding branch, loop or function traced."""
        for at, _ in self._stack.find(rule.around):
            caller = self._stack.caller(at) if at < index else None
            if caller is not None:
                return caller.location
        return None


def of(text: str, described: Described) -> Thing:
    return Thing(
        text=text, what=described.what, name=described.name, detail=described.detail, made=described.made,
        calls=described.calls,
    )  # fmt: skip


def advice(described: Described | None, text: str) -> tuple[str, ...]:
    """How what was refused can be used after all, in the user's words for it."""
    return (described.use.replace("{}", text),) if described is not None and described.use and text else ()


def name(frame: Frame) -> str:
    """The function as its library names it: `keras.Layer.__call__`."""
    root = frame.module.partition(".")[0]
    qualified = getattr(frame.frame.f_code, "co_qualname", frame.function).replace(".<locals>", "")
    return f"{root}: {qualified}"


def _plainly(thing: Any) -> str:
    if thing is None:
        return "None"
    if isinstance(thing, (bool, int, float, str, bytes)):
        return type(thing).__name__
    if callable(thing) and hasattr(thing, "__name__"):
        return "built-in function of Python" if getattr(thing, "__module__", "") == "builtins" else "function"
    return type(thing).__name__


def _short(thing: Any) -> str:
    if isinstance(thing, (bool, int, float, str)):
        return repr(thing) if len(repr(thing)) <= 40 else ""
    if isinstance(thing, (list, tuple)):
        return f"{len(thing)} elements"
    return str(getattr(thing, "__name__", "")) if callable(thing) else ""
