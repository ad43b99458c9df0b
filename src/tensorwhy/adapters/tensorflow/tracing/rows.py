"""Keeps a row for each trace while the program runs. A row holds code, numbers and texts, and no object of the program.

Every function that TensorFlow traces goes through one function of it: what that is given says what the trace is for.
"""

from __future__ import annotations

import inspect
import re
import sys
import threading
import time
import types
import weakref
from collections.abc import Callable, Iterator
from typing import Any

from tensorwhy.adapters import autograph
from tensorwhy.adapters.keras_common import creations
from tensorwhy.model.location import Location
from tensorwhy.model.tracing import Argument, Trace
from tensorwhy.recording.frames import locals_of
from tensorwhy.recording.locations import UserCode, resolve
from tensorwhy.source.files import Sources

_TRACERS = frozenset({"_create_concrete_function", "_create_graph_function"})
"""The functions by which `tf.function` traces; branches, loops and gradients are traced by others."""
_LIBRARY = re.compile(
    r"[\\/]tensorflow[\\/]python[\\/](eager|util)[\\/]|[\\/]tensorwhy[\\/]recording[\\/]|[\\/]contextlib"
)
_MOST_ROWS, _MOST_ARGUMENTS, _DEPTH = 2000, 64, 16
_LONGEST = 40
_MOST_PLACES = 6
Places = tuple[tuple[types.CodeType, int], ...]
"""Frames of the user's or of generated code, the innermost first. Whose code was rewritten is known later."""
_PLAIN = (bool, int, float, complex, str, bytes, type(None))


class Row:
    """One trace. `calls` is counted by whoever sees its graph run."""

    __slots__ = (
        "__weakref__",
        "arguments",
        "begun",
        "called",
        "calls",
        "code",
        "failed",
        "function",
        "instance",
        "memory",
        "name",
        "of",
        "owner",
        "seconds",
        "variables",
        "within",
    )

    def __init__(self, name: str, code: types.CodeType | None, called: Places) -> None:
        self.name, self.code, self.called = name, code, called
        self.owner = self.instance = self.calls = 0
        self.arguments: tuple[Argument, ...] = ()
        self.begun = self.seconds = 0.0
        self.within, self.failed = False, True
        self.memory: weakref.ref[Any] | None = None
        self.function: weakref.ref[types.FunctionType] | None = None
        self.variables: list[Places] = []
        self.of: tuple[str, Location | None] = "", None


class Rows:
    """All rows of a run; the last ones, of a program that traces without an end."""

    def __init__(self, user: UserCode) -> None:
        self.all: list[Row] = []
        self._user = user
        self._numbers = _Numbers()
        self._running = threading.local()

    @property
    def open(self) -> list[Row]:
        """The rows of the traces that are being made in this thread, outermost first."""
        found: list[Row] | None = getattr(self._running, "rows", None)
        if found is None:
            found = self._running.rows = []
        return found

    def begin(self, name: Any, function: Any, args: Any, kwargs: Any) -> Row | None:
        """A function is about to be traced; None where that is no function of its own."""
        frame: types.FrameType | None = sys._getframe(1)
        owner, depth, traces = None, 0, False
        while frame is not None and depth < _DEPTH:
            traces = traces or frame.f_code.co_name in _TRACERS
            if traces and not _LIBRARY.search(frame.f_code.co_filename):
                break  # the outermost object of TensorFlow's is the one that the program called
            if traces and frame.f_code.co_name in ("__call__", "get_concrete_function"):
                owner = locals_of(frame).get("self", owner)
            frame, depth = frame.f_back, depth + 1
        if not traces:
            return None
        plain = _plain(function)
        code = getattr(plain, "__code__", None)
        own = code is not None and self._user.owns(code.co_filename)
        row = Row(str(getattr(plain, "__name__", name)), code if own else None, self._places(sys._getframe(1)))
        inner = getattr(plain, "__func__", plain)
        row.function = weakref.ref(inner) if isinstance(inner, types.FunctionType) else None
        row.owner = self._numbers.of(function if owner is None else owner)
        target = getattr(getattr(plain, "__self__", None), "weakrefself_target__", None)
        row.instance = self._numbers.of(target()) if isinstance(target, weakref.ref) else 0
        made_for = None if own else _owner_of(plain)
        if made_for is not None:
            row.instance = self._numbers.of(made_for)
            row.of = type(made_for).__name__, creations.made(made_for)
        if own:
            row.arguments = tuple(self._arguments(plain, args or (), kwargs or {}))
        row.within = bool(self.open)
        self.open.append(row)
        if len(self.all) >= _MOST_ROWS:
            del self.all[1 : _MOST_ROWS // 2]
        self.all.append(row)
        row.begun = time.monotonic()
        return row

    def end(self, row: Row, failed: bool) -> None:
        """The function is traced."""
        row.seconds, row.failed = time.monotonic() - row.begun, failed
        while self.open and self.open.pop() is not row:
            pass

    def created_variable(self) -> None:
        """A variable was created for the functions that are being traced, one within the other."""
        places = self._places(sys._getframe(1)) if self.open else ()
        for row in self.open:
            row.variables.append(places)

    def _places(self, frame: types.FrameType | None) -> Places:
        found: list[tuple[types.CodeType, int]] = []
        while frame is not None and len(found) < _MOST_PLACES:
            file = frame.f_code.co_filename
            if autograph.is_generated(file) or self._user.owns(file):
                found.append((frame.f_code, frame.f_lasti))
            frame = frame.f_back
        return tuple(found)

    def _at(self, places: Places) -> Location | None:
        """The innermost of them that is the user's."""
        for place in places:
            found: Location | None = resolve(*place)
            if found is not None and autograph.is_generated(found.file):
                found = autograph.original(found.file, found.line)
            if found is not None and self._user.owns(found.file):
                return found
        return None

    def _arguments(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Iterator[Argument]:
        given = [*zip(_names(function, len(args)), args), *kwargs.items()]
        count = 0
        for name, value in given:
            for path, leaf in _leaves(name, value):
                count += 1
                if count > _MOST_ARGUMENTS:
                    return
                yield self._argument(path, leaf)

    def _argument(self, name: str, value: Any) -> Argument:
        if isinstance(value, (str, bytes)):
            value = value[:_LONGEST]
        if isinstance(value, _PLAIN):
            return Argument(name=name, kind="value", shown=_short(repr(value)))
        dtype, shape = getattr(value, "dtype", None), getattr(value, "shape", None)
        if (
            dtype is not None
            and shape is not None
            and hasattr(shape, "__iter__" if isinstance(shape, tuple) else "rank")
        ):
            plain = (
                tuple(shape) if isinstance(shape, tuple) else tuple(shape.as_list()) if shape.rank is not None else None
            )
            kind = "variable" if hasattr(value, "assign") else "tensor"
            text = str(getattr(dtype, "name", dtype))
            return Argument(name=name, kind=kind, dtype=text, shape=plain)  # type: ignore[arg-type]
        code = getattr(value, "__code__", None)
        created = None
        if isinstance(code, types.CodeType) and self._user.owns(code.co_filename):
            created = Location(file=code.co_filename, line=code.co_firstlineno, function=code.co_name)
        identity = self._numbers.of(value)
        return Argument(name=name, kind="object", shown=type(value).__name__, identity=identity, created=created)

    def of(self, function: Any) -> list[Row]:
        """The rows of one traced function object."""
        number = self._numbers.of(function)
        return [row for row in self.all if row.owner == number]

    def trace(self, row: Row, sources: Sources) -> Trace:
        """One row, for everybody."""
        defined = None
        if row.code is not None:
            body = [line for *_, line in row.code.co_lines() if line is not None and line > row.code.co_firstlineno]
            inside = Location(file=row.code.co_filename, line=min(body, default=row.code.co_firstlineno))
            node = sources.function(inside)
            line = getattr(node, "lineno", row.code.co_firstlineno)
            defined = Location(file=row.code.co_filename, line=line, function=row.name)
        return Trace(
            function=row.name,
            defined=defined,
            called=self._at(row.called),
            owner=row.owner,
            instance=row.instance,
            arguments=row.arguments,
            begun=row.begun,
            seconds=row.seconds,
            calls=row.calls,
            within=row.within,
            failed=row.failed,
            of=row.of[0],
            of_made=row.of[1],
            variables=tuple(place for each in row.variables if (place := self._at(each)) is not None),
        )


class _Numbers:
    """Tells objects apart for as long as they live, and later ones from them."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Callable[[], Any], int]] = {}
        self._count = 0

    def of(self, thing: Any) -> int:
        known = self._known.get(id(thing))
        if known is not None and known[0]() is thing:
            return known[1]
        try:
            reference: Callable[[], Any] = weakref.ref(thing)
        except TypeError:  # of these only the place in memory is known
            return -id(thing)
        if len(self._known) >= _MOST_ROWS:
            self._known = {key: each for key, each in self._known.items() if each[0]() is not None}
        self._count += 1
        self._known[id(thing)] = reference, self._count
        return self._count


def _plain(function: Any) -> Any:
    """The user's own function or bound method that a traced one was made of."""
    from tensorflow.python.util import tf_decorator

    return inspect.unwrap(tf_decorator.unwrap(function)[1])


def _owner_of(function: Any) -> Any:
    """The object that a function of a library was made for: it reads it as `self`."""
    code, cells = getattr(function, "__code__", None), getattr(function, "__closure__", None)
    if code is None or "self" not in code.co_freevars or not cells:
        return None
    try:
        return cells[code.co_freevars.index("self")].cell_contents
    except ValueError:
        return None


def _names(function: Any, count: int) -> list[str]:
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    named = [each.name for each in parameters if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
    rest = next((each.name for each in parameters if each.kind is each.VAR_POSITIONAL), "args")
    return [named[index] if index < len(named) else f"{rest}[{index - len(named)}]" for index in range(count)]


def _leaves(name: str, value: Any, depth: int = 0) -> Iterator[tuple[str, Any]]:
    if depth < _DEPTH and isinstance(value, dict):
        for key, each in dict.items(value):
            yield from _leaves(f"{name}[{key!r}]", each, depth + 1)
    elif depth < _DEPTH and type(value) in (list, tuple):
        for index, each in enumerate(value):
            yield from _leaves(f"{name}[{index}]", each, depth + 1)
    else:
        yield name, value


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
