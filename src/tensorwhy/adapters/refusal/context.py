"""One failure under examination: its stack, the sources it is read with, and the words for what is on the stack."""

from __future__ import annotations

import ast
import copy
import functools
import sys
from collections.abc import Sequence
from typing import Any

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.refusal import parked, values, way
from tensorwhy.adapters.refusal.described import Described, FrameRule, Settings, Vocabulary, array
from tensorwhy.adapters.refusal.way import Arrival
from tensorwhy.adapters.stack import Frame, Stack
from tensorwhy.model.facts.refusal import Thing
from tensorwhy.model.location import Location
from tensorwhy.recording import bindings
from tensorwhy.recording.locations import UserCode
from tensorwhy.source.files import Sources


class Context:
    """What every reader of a refusal needs: they take it in place of its parts, and ask it for words."""

    def __init__(self, live: LiveFailure, stack: Stack, vocabularies: Sequence[Vocabulary]) -> None:
        self.live = live
        self.stack = stack
        self.vocabularies = vocabularies
        self.sources = Sources()
        self.user: UserCode = live.user

    def on(self, stack: Stack) -> Context:
        """The same failure with another stack of it."""
        other = copy.copy(self)
        other.stack = stack
        return other

    def describe(self, thing: Any) -> Described | None:
        """The framework's words for an object; None for what no adapter has words for."""
        for vocabulary in self.vocabularies:
            found = vocabulary.describe(thing, self.user)
            if found is not None:
                return found
        return array(thing)

    def part(self, thing: Any) -> Described | None:
        """The words for what a model is made of: a layer, a metric, a loss; None for anything else."""
        asked = (each.part for each in self.vocabularies if each.part is not None)
        return next((found for part in asked if (found := part(thing, self.user)) is not None), None)

    def settings(self, thing: Any) -> Settings | None:
        """What an earlier call of the program gave an object to keep; None where it is no such object."""
        asked = (each.settings for each in self.vocabularies if each.settings is not None)
        return next((found for settings in asked if (found := settings(thing)) is not None), None)

    def kind(self, cls: Any) -> str:
        """What the objects of a class are called; empty for any other class."""
        asked = (each.kind for each in self.vocabularies if each.kind is not None)
        return next((found for kind in asked if (found := kind(cls))), "")

    @functools.cached_property
    def libraries(self) -> frozenset[str]:
        """The top modules of the frameworks and of what belongs to them."""
        return frozenset(each for vocabulary in self.vocabularies for each in vocabulary.libraries)

    def thing(self, thing: Any, described: Described | None, arrival: Arrival | None, text: str = "") -> Thing:
        given = arrival is not None and (arrival.how == "operand" or arrival.held is thing)
        text = text or (arrival.text if arrival is not None and given else "")
        upto = (arrival.frame + 1) if arrival is not None else None
        origin = bindings.Origin()
        if not values.trivial(thing):
            # The line that asked a helper for it: what is made there may be right for others.
            origin = bindings.origin(thing, self.stack.user_frames(upto), self.sources, self.user, depth=0)
        if described is not None:
            return Thing(
                text=text or origin.name,
                what=described.what,
                name=described.name,
                detail=described.detail,
                made=(made := described.made or origin.location),
                calls=self._others(described.calls) or self._called_from(made),
                broken=described.broken,
            )
        detail = self._shapes(thing) or _short(thing)
        return Thing(text=text or origin.name, what=_plainly(thing), detail=detail, made=origin.location)

    def _shapes(self, thing: Any) -> str:
        """Of a list of tensors what each of them is."""
        parts = [self.describe(each) for each in thing[:4]] if isinstance(thing, (list, tuple)) else []
        return ", ".join(each.detail for each in parts if each is not None)

    def _others(self, calls: tuple[Location, ...]) -> tuple[Location, ...]:
        """The lines that led to the object, without those that are still running."""
        running = {(each.location.file, each.location.line) for each in self.stack.frames if each.location is not None}
        return tuple(each for each in calls if (each.file, each.line) not in running)

    def _called_from(self, made: Location | None) -> tuple[Location, ...]:
        """Where a helper that made the object was called, where only one line does so."""
        caller = parked.caller_of(made, self.sources) if made is not None else None
        return self._others((caller, made)) if caller is not None and made is not None else ()

    def called(self, own: Frame) -> str:
        written = self.written(own)
        if isinstance(written, ast.Call):
            return ast.unparse(written.func)
        found = written if isinstance(written, ast.expr) else getattr(written, "value", None)
        if isinstance(found, ast.expr):
            return ast.unparse(found)
        return self.sources.expression(own.location) if own.location is not None else ""

    def written(self, own: Frame) -> ast.AST | None:
        """What failed in the user's line: its first call, where columns do not tell, unless that is surely another."""
        node = way.expression(own, self.sources)
        last = self.stack.innermost_user()
        below = self.stack.frames[last + 1 :] if last is not None else ()
        operator = isinstance(node, (ast.BinOp, ast.Compare, ast.UnaryOp)) and not below
        exact = operator and own.location is not None and own.location.column is not None
        calls = [] if exact else way.calls(node, below)
        return calls[0] if calls else node

    def method_called(self, own: Frame, index: int) -> str:
        """The method of an object of the program's that led to a frame, where a library called it."""
        last = self.stack.innermost_user()
        for frame in self.stack.frames[0 if last is None else last + 1 : index]:
            held = frame.local("self")
            if held is not None and not frame.function.startswith("_") and self.describe(held) is not None:
                names = bindings.named(held, own.frame)
                return f"{names[0]}.{frame.function}" if names else ""
        return ""

    def is_apart(self, frame: Frame) -> bool:
        """Return whether a function runs what was given to others: what fails in there is none of its arguments."""
        rules = (rule for vocabulary in self.vocabularies for rule in vocabulary.rules)
        return any(rule.place and not rule.requires and rule.fits(frame) for rule in rules)

    def around(self, rule: FrameRule, index: int) -> Location | None:
        """The user's line that had the surrounding branch, loop or function traced."""
        for at, _ in self.stack.find(rule.around):
            caller = self.stack.caller(at) if at < index else None
            if caller is not None:
                return caller.location
        return None


def described_as(text: str, described: Described) -> Thing:
    """An object in the framework's words alone."""
    return Thing(
        text=text, what=described.what, name=described.name, detail=described.detail, made=described.made,
        calls=described.calls, broken=described.broken,
    )  # fmt: skip


def advice(described: Described | None, text: str) -> tuple[str, ...]:
    """How what was refused can be used after all, in the user's words for it."""
    return (described.use.replace("{}", text),) if described is not None and described.use and text else ()


def is_standard(frame: Frame) -> bool:
    """Return whether this is Python's own library, which says itself what it cannot take."""
    return frame.module.partition(".")[0] in sys.stdlib_module_names


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
