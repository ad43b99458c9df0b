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
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from tensorwhy.adapters import autograph
from tensorwhy.adapters.tensorflow.call_budgets import CallBudgets
from tensorwhy.adapters.tensorflow.graphs import holders, symbolic
from tensorwhy.adapters.tensorflow.tracing import draws, memory, rebound
from tensorwhy.adapters.tensorflow.tracing.memory import Kept, Seen, Trace
from tensorwhy.adapters.tensorflow.tracing.python_reads import Read, Reads, changes
from tensorwhy.adapters.tensorflow.tracing.python_values import MISSING, Code, Scope
from tensorwhy.adapters.tensorflow.tracing.replaced import Named, Replaced
from tensorwhy.adapters.tensorflow.tracing.rows import Row, Rows
from tensorwhy.model.facts.graph import FrozenValue
from tensorwhy.model.location import Location
from tensorwhy.model.tracing import Read as ReadValue
from tensorwhy.model.tracing import Trace as TraceRow
from tensorwhy.recording.frames import nearest
from tensorwhy.recording.hot_path import compiled, is_compiled
from tensorwhy.recording.locations import UserCode
from tensorwhy.source.files import Sources

_ATTRIBUTE = "_tensorwhy_trace"
_MOST_CALLS = 2000
_EACH, _PART = 64, 8
"""So many runs are looked at one by one; after them this part of as many as there were is only counted."""
_MOST_HOLDERS = 20


class _Files(dict[str, bool]):
    """File name of a code object -> whether it is the user's, or generated. Asked for each frame of each operation."""

    def __init__(self, user: UserCode) -> None:
        super().__init__()
        self._user = user

    def __missing__(self, file: str) -> bool:
        found = self[file] = autograph.is_generated(file) or self._user.owns(file)
        return found


class Watch:
    """The memory of all traces; one for each run of a program.

    `asked` gives the functions that a library calls for a number while it traces what captures these handles.
    """

    def __init__(self, user: UserCode, asked: Callable[[set[int]], Iterable[Any]] = lambda captured: ()) -> None:
        self._user = user
        self._asked_of = asked
        self._files = _Files(user)
        self._nearest: Callable[..., types.FrameType | None] = compiled.nearest if is_compiled() else nearest
        self._sources = Sources()
        self._code = Code(user.owns, self._sources)
        self._reads: dict[ast.AST, Reads] = {}
        self._replaced = Replaced()
        self._stale: dict[tuple[str, int, str], FrozenValue] = {}
        self._draws: dict[ast.AST, tuple[tuple[ast.Call, ast.stmt], ...]] = {}
        self._drawn: dict[tuple[str, int, str], FrozenValue] = {}
        self._mapped: list[tuple[Trace, Seen]] = []
        self.rows = Rows(user)
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
        for each in memory.graphs(graph):
            trace = getattr(each, _ATTRIBUTE, None)
            if trace is None:
                trace = Trace()
                setattr(each, _ATTRIBUTE, trace)
            if id(code) in trace.around:
                continue
            if id(code) not in trace.code:
                within = memory.traced_above(frame) if within is None else within
                if id(each) not in within:  # TensorFlow adds to the graph of a function that was called from here
                    trace.around.add(id(code))
                    continue
                trace.code.add(id(code))
                seen = self._seen(frame)
                if seen is not None and (seen.reads or seen.draws or seen.named or seen.carried):
                    trace.functions.append(seen)
                    if seen.draws and symbolic.describe_graph(each, None, self._user).kind == "dataset":
                        self._mapped.append((trace, seen))
                self._callers(trace, frame.f_back)
            trace.lines.add((code.co_filename, frame.f_lineno))

    def built(self, row: Row, graph: Any) -> None:
        """A function is traced, and this is its graph."""
        trace = getattr(graph, _ATTRIBUTE, None)
        if trace is None:
            trace = Trace()
            setattr(graph, _ATTRIBUTE, trace)
        trace.row, row.memory = row, weakref.ref(trace)
        captured = {id(outer) for outer, _ in graph.captures}
        for function in self._asked_of(captured) if captured else ():
            self._asked(trace, function)

    def _asked(self, trace: Trace, function: Any) -> None:
        """A library asked a function of the program's for a number while tracing: that is a constant of the graph."""
        syntax = self._code.of(function)
        if syntax is None:
            return
        file, reads = function.__code__.co_filename, Reads(syntax)
        scope = Scope.of_function(self._code, function, syntax)
        found = [each for read in reads.values if (each := self._kept(read, scope, file)) is not None]
        nodes = {id(each.read.node) for each in found}
        kept = [each for each in found if not any(id(node) in nodes for node in _within(each.read.node))]
        if kept:
            trace.lines.update((file, read.read.line) for read in kept)
            seen = Seen(
                name=syntax.name, file=file, scope=scope, reads=kept, function=syntax, draws=[], named=[], carried=[]
            )
            trace.functions.append(seen)

    def traces(self, whole: bool = False) -> tuple[TraceRow, ...]:
        """All rows as they are now; `whole` with who holds their tensors."""
        self.budgets.settle_all()
        left = self.escaped() if whole else {}
        return tuple(
            msgspec.structs.replace(self._row(row), escaped=tuple(left.get(row, ()))) for row in tuple(self.rows.all)
        )

    def escaped(self) -> dict[Row, list[str]]:
        """Who holds tensors of each trace. Looks through everything that the program can reach."""
        found: dict[Row, list[str]] = {}
        for holder, tensor in holders.search(_is_left, (), self._user, _MOST_HOLDERS):
            trace = getattr(symbolic.graph_of(tensor), _ATTRIBUTE, None)
            if trace is not None and trace.row is not None:
                found.setdefault(trace.row, []).append(" -> ".join(holder.steps))
        return found

    def _row(self, row: Row) -> TraceRow:
        kept_of = row.memory() if row.memory is not None else None
        reads = {
            (seen.file, kept.read.node.lineno, kept.read.text): ReadValue(
                name=kept.read.text,
                at=self._sources.place(seen.file, kept.read.node),
                then=repr(kept.value),
                now="" if (now := seen.scope.value(kept.read.node)) is MISSING else repr(now),
            )
            for seen in (kept_of.functions if kept_of is not None else ())
            for kept in seen.reads
            if not kept.counted and not isinstance(kept.read.node, ast.Constant)
        }
        return msgspec.structs.replace(self.rows.trace(row, self._sources), reads=tuple(reads.values()))

    def traces_of(self, function: Any) -> list[TraceRow]:
        """The rows of one traced function object."""
        return [self.rows.trace(row, self._sources) for row in self.rows.of(function)]

    def _callers(self, trace: Trace, frame: types.FrameType | None) -> None:
        """The user's functions that led here within the trace: they name models, even where they add no operation."""
        while frame is not None and frame.f_code.co_name != memory.TRACING:
            code = frame.f_code
            if self._files[code.co_filename] and id(code) not in trace.callers:
                trace.callers.add(id(code))
                seen = self._seen(frame)
                if seen is not None and seen.named:
                    trace.functions.append(msgspec.structs.replace(seen, reads=[], draws=[], carried=[]))
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
        cells = next((row.function for row in reversed(self.rows.open) if row.name == function.name), None)
        scope = Scope.of_frame(self._code, memory.outermost(frame, function.name), reads.own, reads.first, cells)
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
            carried=[each for each in reads.carried if _is_value(scope.held(each[0]))],
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
        """Return whether an attribute that is counted on is also set, elsewhere than where its object is made."""
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
        if trace is None:
            self.budgets.give(function, sys.maxsize, _ignored)
            return
        if trace.row is not None:
            trace.row.calls += 1
        if not trace.functions:
            self.budgets.give(function, sys.maxsize, functools.partial(_counted, trace.row))
            return
        trace.calls += 1
        if not 1 < trace.calls < _MOST_CALLS:
            if trace.calls > 1:
                self.budgets.give(function, sys.maxsize, functools.partial(_counted, trace.row))
            return
        times, trace.uncounted = 1 + trace.uncounted, 0
        told: set[tuple[str, str]] = set()  # a loop of AutoGraph's has a frame of its own, of the same function
        for seen in trace.functions:
            for kept in seen.reads:
                now = kept.value if kept.counted else seen.scope.value(kept.read.node)
                if kept.counted or (now is not MISSING and type(now) is type(kept.value) and _differ(now, kept.value)):
                    self._note(graph, trace, seen, kept, now, times)
            for node, statement in seen.carried:
                self._note_carried(graph, trace, seen, node, statement, times)
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
            _counted(trace.row, times)

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
                function=_function(graph, trace, seen),
                frozen=repr(kept.value),
                now=repr(now),
                stale_calls=1,
                kind="count" if kept.counted else "test" if read.test else "number",
                set=None
                if kept.counted
                else rebound.later(read.text, seen.file, seen.function, self._sources, self._files),
            )

    def _note_carried(
        self, graph: Any, trace: Trace, seen: Seen, node: ast.expr, statement: ast.stmt, times: int
    ) -> None:
        """What one call leaves for the next is a tensor of the trace: each call begins with what the trace read."""
        key = (seen.file, node.lineno, ast.unparse(node))
        known = self._stale.get(key)
        if known is not None:
            self._stale[key] = msgspec.structs.replace(known, stale_calls=known.stale_calls + times)
            return
        now = seen.scope.held(node)
        own = symbolic.graph_of(now) if symbolic.is_symbolic(now) else None
        if all(each is not graph for each in memory.graphs(own)):
            return
        self._stale[key] = FrozenValue(
            name=ast.unparse(node),
            read=self._sources.place(seen.file, statement),
            function=_function(graph, trace, seen),
            stale_calls=times,
            kind="state",
            set=rebound.initial(ast.unparse(node), seen.file, self._sources),
        )

    def _note_draws(self, trace: Trace, seen: Seen, dataset: bool, times: int = 1) -> None:
        for draw in tuple(seen.draws):
            text = ast.unparse(draw.call)
            key = (draw.file, draw.call.lineno, text)
            known = self._drawn.get(key)
            if known is not None:
                self._drawn[key] = msgspec.structs.replace(known, stale_calls=known.stale_calls + times)
            elif draws.reaches(draw.statement, seen.function, self._lines_in(trace, seen.file)):
                read = self._sources.place(draw.file, draw.call)
                self._drawn[key] = FrozenValue(
                    kind="draw", name=text, read=read, function=seen.name, stale_calls=1, dataset=dataset
                )
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

    def drawn(self) -> tuple[FrozenValue, ...]:
        """What Python drew at random while tracing, each place once."""
        for trace, seen in self._mapped:
            self._note_draws(trace, seen, dataset=True)
        self._mapped.clear()
        return tuple(self._drawn.values())

    def _built_at(self, trace: Trace, file: str, line: int) -> bool:
        """Return whether an operation was built at this line: else the number never reached the graph."""
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
        """What was found, each place once. Runs that were only counted since the last look are left out."""
        return (*self._stale.values(), *self._replaced.found())


def _function(graph: Any, trace: Trace, seen: Seen) -> str:
    """The traced function; where that is a library's, the user's that it called."""
    return str(graph.name) if trace.row is None or trace.row.code is not None else seen.name


def _is_left(value: Any) -> bool:
    """Whether this is a tensor of a function that was traced before."""
    graph = symbolic.graph_of(value) if symbolic.is_symbolic(value) else None
    return graph is not None and symbolic.is_function_graph(graph) and symbolic.is_finished(graph)


def _within(node: ast.AST) -> list[ast.AST]:
    return [each for each in ast.walk(node) if each is not node]


def _is_value(held: Any) -> bool:
    """Whether a name stands for a number or a tensor with a value."""
    number = isinstance(held, (int, float)) and not isinstance(held, bool)
    return number or (hasattr(held, "dtype") and hasattr(held, "__array__") and not hasattr(held, "assign"))


def _differ(now: Any, then: Any) -> bool:
    return bool(now != then and (now == now or then == then))  # two NaNs are alike here


def _ignored(times: int) -> None:
    """For a function of which nobody wants to know how often it runs."""


def _counted(row: Row | None, times: int) -> None:
    if row is not None:
        row.calls += times


CURRENT: list[Watch] = []
