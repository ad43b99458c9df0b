"""Remembers which Python values a trace has read, and notices when its graph runs although they have changed since.

While a graph is being built, the first operation of each function of the user's shows the function's live frame; that
is where the values are looked up. The memory hangs on the graph, and goes with it. What was found stale is kept as
facts, without any object of the program.
"""

from __future__ import annotations

import ast
import functools
import sys
import types
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from tensorwhy.adapters import autograph
from tensorwhy.adapters.tensorflow.call_budgets import CallBudgets
from tensorwhy.adapters.tensorflow.graphs import draws, symbolic
from tensorwhy.adapters.tensorflow.graphs.python_reads import Read, Reads, changes
from tensorwhy.adapters.tensorflow.graphs.python_values import MISSING, Code, Scope
from tensorwhy.adapters.tensorflow.graphs.replaced import Named, Replaced
from tensorwhy.model.facts.graph import FrozenDraw, FrozenValue, ReplacedObject
from tensorwhy.model.location import Location
from tensorwhy.recording.frames import locals_of, nearest
from tensorwhy.recording.hot_path import compiled, is_compiled
from tensorwhy.recording.locations import UserCode
from tensorwhy.recording.sources import Sources

_ATTRIBUTE = "_tensorwhy_trace"
_MOST_CALLS = 2000
_EACH, _PART = 64, 8
"""So many runs are looked at one by one; after them this part of as many as there were is only counted."""
_TRACING = "func_graph_from_py_func"
"""TensorFlow's function that every trace runs in: who called it, does so again in every step."""


class Kept(msgspec.Struct, frozen=True):
    """A read with the value that it had. `counted`: the trace counts on it, so that each call was to get another."""

    read: Read
    value: Any
    counted: bool


class Seen(msgspec.Struct):
    """One function of the user's in one trace."""

    name: str
    file: str
    scope: Scope
    reads: list[Kept]
    function: Any
    draws: list[draws.Draw]
    named: list[Named]


class Trace:
    """What the building of one graph has read."""

    __slots__ = ("__weakref__", "around", "callers", "calls", "code", "functions", "lines", "uncounted")

    def __init__(self) -> None:
        self.uncounted = 0
        self.code: set[int] = set()
        self.around: set[int] = set()
        self.callers: set[int] = set()
        self.lines: set[tuple[str, int]] = set()
        self.functions: list[Seen] = []
        self.calls = 0


class _Files(dict[str, bool]):
    """File name of a code object -> whether it is the user's, or generated. Asked for each frame of each operation."""

    def __init__(self, user: UserCode) -> None:
        super().__init__()
        self._user = user

    def __missing__(self, file: str) -> bool:
        found = self[file] = autograph.is_generated(file) or self._user.owns(file)
        return found


class Watch:
    """The memory of all traces; one for each run of a program."""

    def __init__(self, user: UserCode) -> None:
        self._user = user
        self._files = _Files(user)
        self._nearest: Callable[..., types.FrameType | None] = compiled.nearest if is_compiled() else nearest
        self._sources = Sources()
        self._code = Code(user.owns, self._sources)
        self._reads: dict[ast.AST, Reads] = {}
        self._replaced = Replaced()
        self._stale: dict[tuple[str, int, str], FrozenValue] = {}
        self._draws: dict[ast.AST, tuple[tuple[ast.Call, ast.stmt], ...]] = {}
        self._drawn: dict[tuple[str, int, str], FrozenDraw] = {}
        self._mapped: list[tuple[Trace, Seen]] = []
        self.budgets = CallBudgets()

    def traced(self, graph: Any, frame: types.FrameType | None) -> None:
        """An operation was added to a graph; `frame` is that of whoever did it."""
        if self.budgets:
            self.budgets.settle_all()  # from within a graph, a function is called without being run
        frame = self._nearest(frame, self._files)
        if frame is None:
            return
        code = frame.f_code
        within: set[int] | None = None
        for each in _graphs(graph):
            trace = getattr(each, _ATTRIBUTE, None)
            if trace is None:
                trace = Trace()
                setattr(each, _ATTRIBUTE, trace)
            if id(code) in trace.around:
                continue
            if id(code) not in trace.code:
                within = _traced_above(frame) if within is None else within
                if id(each) not in within:  # TensorFlow adds to the graph of a function that was called from here
                    trace.around.add(id(code))
                    continue
                trace.code.add(id(code))
                seen = self._seen(frame)
                if seen is not None and (seen.reads or seen.draws or seen.named):
                    trace.functions.append(seen)
                    if seen.draws and symbolic.describe_graph(each, None, self._user).kind == "dataset":
                        self._mapped.append((trace, seen))
                self._callers(trace, frame.f_back)
            trace.lines.add((code.co_filename, frame.f_lineno))

    def _callers(self, trace: Trace, frame: types.FrameType | None) -> None:
        """The user's functions that led here within the trace: they name models, even where they add no operation."""
        while frame is not None and frame.f_code.co_name != _TRACING:
            code = frame.f_code
            if self._files[code.co_filename] and id(code) not in trace.callers:
                trace.callers.add(id(code))
                seen = self._seen(frame)
                if seen is not None and seen.named:
                    trace.functions.append(msgspec.structs.replace(seen, reads=[], draws=[]))
            frame = frame.f_back

    def _seen(self, frame: types.FrameType) -> Seen | None:
        file, line = frame.f_code.co_filename, frame.f_lineno
        location = autograph.original(file, line) if autograph.is_generated(file) else Location(file=file, line=line)
        function = self._sources.function(location) if location is not None else None
        if location is None or not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return None
        reads = self._reads.get(function)
        if reads is None:
            reads = self._reads[function] = Reads(function)
        scope = Scope.of_frame(self._code, _outermost(frame, function.name), reads.own, reads.first)
        kept = [found for read in reads.values if (found := self._kept(read, scope, location.file)) is not None]
        drawn = self._draws.get(function)
        if drawn is None:
            drawn = self._draws[function] = draws.candidates(function)
        drawing = draws.drawing(drawn, scope, location.file, self._code)
        named = [
            each
            for node in reads.names
            if not scope.is_settled(node)
            and (each := Named.of(node, scope.held(node), scope.globals_of(node))) is not None
        ]
        return Seen(
            name=function.name,
            file=location.file,
            scope=scope,
            reads=kept,
            function=function,
            draws=drawing,
            named=named,
        )

    def _kept(self, read: Read, scope: Scope, file: str) -> Kept | None:
        called = (scope.called(each) for each in read.calls)
        if read.calls and not any(each is not None and changes(each, read.node) for each in called):
            return None
        value = scope.value(read.node)
        counted = (*((text, file) for text in read.counted), *scope.counted())
        if value is MISSING or (counted and not read.arithmetic):
            return None
        if any(self._set_anew(text, home) for text, home in counted):
            return None  # it may begin again in each call
        return Kept(read, value, bool(counted))

    def _set_anew(self, text: str, file: str) -> bool:
        """Whether an attribute that is counted on is also set, elsewhere than where its object is made."""
        attribute, tree = text.rpartition(".")[2], self._sources.tree(file)
        for node in ast.walk(tree) if tree is not None else ():
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == "__init__":
                continue
            for each in ast.iter_child_nodes(node):
                targets = each.targets if isinstance(each, ast.Assign) else ()
                if any(isinstance(target, ast.Attribute) and target.attr == attribute for target in targets):
                    return True
        return False

    def called(self, function: Any, graph: Any) -> None:
        """A graph runs. The first run follows its trace at once; later ones may find that a value has changed.

        It is granted the runs that may come before the values are looked at again.
        """
        self.budgets.settle(id(function))
        trace = getattr(graph, _ATTRIBUTE, None)
        if trace is None or not trace.functions:
            self.budgets.give(function, sys.maxsize, _ignored)
            return
        trace.calls += 1
        if not 1 < trace.calls < _MOST_CALLS:
            if trace.calls > 1:
                self.budgets.give(function, sys.maxsize, _ignored)
            return
        times, trace.uncounted = 1 + trace.uncounted, 0
        told: set[tuple[str, str]] = set()  # a loop of AutoGraph's has a frame of its own, of the same function
        for seen in trace.functions:
            for kept in seen.reads:
                now = kept.value if kept.counted else seen.scope.value(kept.read.node)
                if kept.counted or (now is not MISSING and type(now) is type(kept.value) and _differ(now, kept.value)):
                    self._note(graph, trace, seen, kept, now, times)
            if seen.draws:
                self._note_draws(trace, seen, dataset=False, times=times)
            for each in seen.named:
                held = seen.scope.held(each.node) if each.home is None else each.home.get(each.name, MISSING)
                if held is each.reference() or held is MISSING or (key := (seen.file, each.key)) in told:
                    continue
                told.add(key)
                self._replaced.note(graph, each, held, self._sources.place(seen.file, each.node), times)
        if trace.calls >= _EACH:
            self.budgets.give(
                function, trace.calls // _PART - 1, functools.partial(self._were_counted, weakref.ref(trace))
            )

    def _were_counted(self, reference: weakref.ref[Trace], times: int) -> None:
        trace = reference()
        if trace is not None:
            trace.calls += times
            trace.uncounted += times

    def _note(self, graph: Any, trace: Trace, seen: Seen, kept: Kept, now: Any, times: int) -> None:
        read = kept.read
        key = (seen.file, read.node.lineno, read.text)
        known = self._stale.get(key)
        if known is not None:
            self._stale[key] = msgspec.structs.replace(known, now=repr(now), stale_calls=known.stale_calls + times)
        elif read.test or self._built_at(trace, seen.file, read.line):
            self._stale[key] = FrozenValue(
                name=read.text,
                read=self._sources.place(seen.file, read.node),
                function=str(graph.name),
                frozen=repr(kept.value),
                now=repr(now),
                stale_calls=1,
                test=read.test,
                counted=kept.counted,
            )

    def _note_draws(self, trace: Trace, seen: Seen, dataset: bool, times: int = 1) -> None:
        for draw in tuple(seen.draws):
            text = ast.unparse(draw.call)
            key = (draw.file, draw.call.lineno, text)
            known = self._drawn.get(key)
            if known is not None:
                self._drawn[key] = msgspec.structs.replace(known, calls=known.calls + times)
            elif draws.reaches(draw.statement, seen.function, self._lines_in(trace, seen.file)):
                read = self._sources.place(draw.file, draw.call)
                self._drawn[key] = FrozenDraw(text=text, read=read, function=seen.name, calls=1, dataset=dataset)
            else:
                seen.draws.remove(draw)  # the trace is finished, so this is settled

    def _lines_in(self, trace: Trace, file: str) -> set[int]:
        """The lines of a file at which operations were built."""
        found = set()
        for traced, number in trace.lines:
            location = autograph.original(traced, number) if autograph.is_generated(traced) else None
            if location is not None:
                traced, number = location.file, location.line
            if traced == file:
                found.add(number)
        return found

    def drawn(self) -> tuple[FrozenDraw, ...]:
        """What Python drew at random while tracing, each place once."""
        for trace, seen in self._mapped:
            self._note_draws(trace, seen, dataset=True)
        self._mapped.clear()
        return tuple(self._drawn.values())

    def _built_at(self, trace: Trace, file: str, line: int) -> bool:
        """Whether an operation was built at this line: else the number never reached the graph."""
        for traced, number in trace.lines:
            location = autograph.original(traced, number) if autograph.is_generated(traced) else None
            if (
                (location.file, location.line) == (file, line)
                if location is not None
                else (traced, number) == (file, line)
            ):
                return True
        return False

    def stale(self) -> tuple[FrozenValue | ReplacedObject, ...]:
        """What was found, each place once. Runs that were only counted since the last look are left out."""
        return (*self._stale.values(), *self._replaced.found())


def _traced_above(frame: types.FrameType | None) -> set[int]:
    """The ids of the graphs that are being traced, and that this frame runs for."""
    found = set()
    while frame is not None:
        if frame.f_code.co_name == _TRACING:
            found.add(id(locals_of(frame).get("func_graph")))
        frame = frame.f_back
    return found


def _differ(now: Any, then: Any) -> bool:
    return bool(now != then and (now == now or then == then))  # two NaNs are alike here


def _outermost(frame: types.FrameType, name: str) -> types.FrameType:
    """AutoGraph makes functions of loops and branches; the one around them has all the names of the user's."""
    outer: types.FrameType | None = frame
    while outer is not None and outer.f_code.co_name != f"tf__{name}":
        outer = outer.f_back if autograph.is_generated(frame.f_code.co_filename) else None
    return outer if outer is not None else frame


def _graphs(graph: Any) -> Iterator[Any]:
    """The graph and the function graphs around it: an inner function runs whenever an outer one does."""
    while graph is not None and hasattr(graph, "structured_outputs"):
        yield graph
        graph = getattr(graph, "outer_graph", None)


def _ignored(times: int) -> None:
    """For a function of which nobody wants to know how often it runs."""


CURRENT: list[Watch] = []
