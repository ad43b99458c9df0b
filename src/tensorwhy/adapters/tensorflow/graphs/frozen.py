"""Remembers which Python values a trace has read, and notices when its graph runs although they have changed since.

While a graph is being built, the first operation of each function of the user's shows the function's live frame; that
is where the values are looked up. The memory hangs on the graph, and goes with it. What was found stale is kept as
facts, without any object of the program.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Iterator
from typing import Any

import msgspec

from tensorwhy.adapters.tensorflow.graphs import autograph, python_reads
from tensorwhy.adapters.tensorflow.graphs.python_reads import MISSING, Read, Scope
from tensorwhy.model.facts.graph import FrozenValue
from tensorwhy.model.location import Location
from tensorwhy.recording.locations import UserCode
from tensorwhy.recording.sources import Sources

_ATTRIBUTE = "_tensorwhy_trace"
_MOST_CALLS = 2000


class Seen(msgspec.Struct):
    """One function of the user's in one trace."""

    name: str
    file: str
    scope: Scope
    reads: list[tuple[Read, Any]]


class Trace:
    """What the building of one graph has read."""

    __slots__ = ("calls", "code", "functions", "lines")

    def __init__(self) -> None:
        self.code: set[int] = set()
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
        self._files = _Files(user)
        self._sources = Sources()
        self._reads: dict[ast.AST, tuple[Read, ...]] = {}
        self._stale: dict[tuple[str, int, str], FrozenValue] = {}

    def traced(self, graph: Any, frame: types.FrameType | None) -> None:
        """An operation was added to a graph; `frame` is that of whoever did it."""
        files = self._files
        while frame is not None and not files[frame.f_code.co_filename]:
            frame = frame.f_back
        if frame is None:
            return
        code = frame.f_code
        for each in _graphs(graph):
            trace = getattr(each, _ATTRIBUTE, None)
            if trace is None:
                trace = Trace()
                setattr(each, _ATTRIBUTE, trace)
            trace.lines.add((code.co_filename, frame.f_lineno))
            if id(code) not in trace.code:
                trace.code.add(id(code))
                seen = self._seen(frame)
                if seen is not None and seen.reads:
                    trace.functions.append(seen)

    def _seen(self, frame: types.FrameType) -> Seen | None:
        file, line = frame.f_code.co_filename, frame.f_lineno
        location = autograph.original(file, line) if autograph.is_generated(file) else Location(file=file, line=line)
        function = self._sources.function(location) if location is not None else None
        if location is None or not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return None
        scope = Scope(frame, function)
        known = self._reads.get(function)
        if known is None:
            known = self._reads[function] = tuple(python_reads.reads(function))
        reads = [(read, value) for read in known if (value := scope.value(read.node)) is not MISSING]
        return Seen(name=function.name, file=location.file, scope=scope, reads=reads)

    def called(self, graph: Any) -> None:
        """A graph runs. The first run follows its trace at once; later ones may find that a value has changed."""
        trace = getattr(graph, _ATTRIBUTE, None)
        if trace is None or not trace.functions:
            return
        trace.calls += 1
        if not 1 < trace.calls < _MOST_CALLS:
            return
        for seen in trace.functions:
            for read, frozen in seen.reads:
                now = seen.scope.value(read.node)
                if now is not MISSING and type(now) is type(frozen) and now != frozen:
                    self._note(graph, trace, seen, read, frozen, now)

    def _note(self, graph: Any, trace: Trace, seen: Seen, read: Read, frozen: Any, now: Any) -> None:
        key = (seen.file, read.node.lineno, read.text)
        known = self._stale.get(key)
        if known is not None:
            self._stale[key] = msgspec.structs.replace(known, now=repr(now), stale_calls=known.stale_calls + 1)
        elif read.test or self._built_at(trace, seen.file, read.node.lineno):
            location = Location(
                file=seen.file,
                line=read.node.lineno,
                column=read.node.col_offset,
                end_line=read.node.end_lineno,
                end_column=read.node.end_col_offset,
                function=seen.name,
            )
            self._stale[key] = FrozenValue(
                name=read.text,
                read=location,
                function=str(graph.name),
                frozen=repr(frozen),
                now=repr(now),
                stale_calls=1,
                test=read.test,
            )

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

    def stale(self) -> tuple[FrozenValue, ...]:
        """What was found, each place once."""
        return tuple(self._stale.values())


def _graphs(graph: Any) -> Iterator[Any]:
    """The graph and the function graphs around it: an inner function runs whenever an outer one does."""
    while graph is not None and hasattr(graph, "structured_outputs"):
        yield graph
        graph = getattr(graph, "outer_graph", None)


CURRENT: list[Watch] = []
