"""The journal: what happened, in order, as columns of integers.

The hot path appends one row per event to a short list with a single `extend`, which the interpreter lock makes atomic,
so that rows of different threads never mix; a list takes a row in a quarter of the time of an array. Before anybody
reads, and when it has grown, the list is moved into the array. A row is

    header, place, inputs..., outputs...

with the header packed as  name << 44 | inputs << 28 | outputs << 12 | thread << 4 | kind.

A place is a chain of user frames. Its key in the cache is made of the instructions of all of them, so that a helper
called from two lines has two places, however many frames of libraries are in between.

Tensors are their `_id` (a process-wide counter in TensorFlow, never reused); an output also carries its dtype, as
`id << 8 | dtype`. Nothing of the user's program is kept alive but code objects. Negative inputs are not tensors:
see `PYTHON`, `NUMPY` and `variable`.
"""

from __future__ import annotations

import sys
import threading
from array import array
from collections.abc import Callable, Iterable, Iterator
from types import CodeType
from typing import NamedTuple

from tensorwhy.model.location import Location
from tensorwhy.recording.gaps import Gaps
from tensorwhy.recording.locations import resolve

OP, GRAPH_OP, RECORDED, ENTRY, EXIT = 0, 1, 2, 3, 4
RECORDER_NEW, RECORDER_ADD, RECORDER_REMOVE, WATCH, WATCH_VARIABLE, ACCESS, STOP, RESTART = 5, 6, 7, 8, 9, 10, 11, 12
QUESTION, GRADIENT, GRADIENT_END = 13, 14, 15

PYTHON = -1
"""An input that was a Python number, string or list."""
NUMPY = -2
"""An input that was a NumPy array."""
_VARIABLE = -16
DIRECT = " by the user"
"""Ends the name of an exit that the user's own code asked for (`x.numpy()`, `float(x)`), not a library."""

FORWARD = "forward"
"""Names what happens to an accumulator of forward mode: a recorder that is opened later than it is made."""

RECENT = 16_384
"""So many numbers are written before they are moved into the array."""
NAME_SHIFT, IN_SHIFT, OUT_SHIFT, THREAD_SHIFT = 44, 28, 12, 4
COUNTS = 0xFFFF << IN_SHIFT | 0xFFFF << OUT_SHIFT
"""The bits of a header that count inputs and outputs."""
_IN_MASK, _OUT_MASK, _THREAD_MASK, _KIND_MASK = 0xFFFF, 0xFFFF, 0xFF, 0xF
_PLAIN, _ONE_OUTPUT = _OUT_MASK << OUT_SHIFT | _KIND_MASK & ~GRAPH_OP, 1 << OUT_SHIFT
"""A header under this mask is that number when the row is of an operation, eager or in a graph, with one output."""


def variable(handle: int) -> int:
    """How a Variable object handed straight to a kernel is written: the kernel reads it where no hook sees."""
    return _VARIABLE - handle


def variable_handle(value: int) -> int | None:
    """The handle's id when `value` is a Variable (see `variable`)."""
    return _VARIABLE - value if value <= _VARIABLE else None


class Frame(NamedTuple):
    """One of the user's frames. `direct`: the next outer user frame called it itself, not through a library."""

    location: Location
    direct: bool


class Event:
    """One row, unpacked."""

    __slots__ = ("dtypes", "index", "inputs", "kind", "name", "outputs", "place", "thread")

    def __init__(
        self,
        index: int,
        kind: int,
        name: int,
        thread: int,
        place: int,
        inputs: tuple[int, ...],
        outputs: tuple[int, ...],
        dtypes: tuple[int, ...],
    ) -> None:
        self.index = index
        self.kind = kind
        self.name = name
        self.thread = thread
        self.place = place
        self.inputs = inputs
        self.outputs = outputs
        self.dtypes = dtypes


class Recent(list[int]):
    """Rows that were written lately; the compiled recorder has one of its own, which the hot path knows from inside."""

    def move(self, rows: array[int]) -> None:
        """Move all numbers to the end of `rows`."""
        taken = self[:]  # other threads may append while this one converts
        rows.fromlist(taken)
        del self[: len(taken)]


class Journal:
    """Append-only. One writer method per shape of event; readers walk it with `events`.

    `limit` is the size past which `on_limit` is told of it. Rows from `unread` on have still to be read by somebody.
    """

    def __init__(self) -> None:
        self._rows: array[int] = array("q")
        self._gaps = Gaps()
        self.recent = Recent()
        self.names: list[str] = []
        self._name_index: dict[str, int] = {}
        self._places: list[tuple[tuple[CodeType, int, bool] | Frame, ...]] = []
        self._known_places: dict[tuple[Frame, ...], int] = {}
        self.place_index: dict[int, int] = {}
        self._chains: dict[int, tuple[Frame, ...]] = {}
        self.threads: dict[int, int] = {}
        self._lock = threading.RLock()  # a finalizer may run an operation in the midst of anything
        self._settling = False
        self.limit = self.unread = sys.maxsize
        self.on_limit: Callable[[int], None] = lambda size: None
        self.source_maps: dict[tuple[str, int], Location] = {}

    def name(self, name: str) -> int:
        """The small integer that stands for a name."""
        index = self._name_index.get(name)
        if index is None:
            with self._lock:
                index = self._name_index.get(name)
                if index is None:
                    index = len(self.names)
                    self.names.append(name)
                    self._name_index[name] = index
        return index

    def knows(self, name: str) -> bool:
        """Whether any event has this name."""
        return name in self._name_index

    def place(self, key: int, chain: tuple[tuple[CodeType, int, bool], ...]) -> int:
        """The small integer that stands for a chain of instructions. Slow path of the cache in `place_index`.

        The chain is the user's part of the call stack, innermost first, as it stood when this place was first met:
        code, instruction, and whether the next outer user frame called this one directly (not through a library).
        """
        with self._lock:
            index = self.place_index.get(key)
            if index is None:
                index = len(self._places)
                self._places.append(chain)
                self.place_index[key] = index
        return index

    def known_place(self, chain: tuple[Frame, ...]) -> int:
        """The same for a chain whose lines are known, although nothing runs there now."""
        with self._lock:
            index = self._known_places.get(chain)
            if index is None:
                index = self._known_places[chain] = len(self._places)
                self._places.append(chain)
        return index

    def thread(self) -> int:
        """The small integer that stands for the current thread."""
        ident = threading.get_ident()
        index = self.threads.get(ident)
        if index is None:
            with self._lock:
                index = self.threads.setdefault(ident, len(self.threads) & _THREAD_MASK)
        return index

    def header(self, kind: int, name: str, inputs: int, outputs: int) -> int:
        """What begins a row of the main thread, for hooks that write the same kind of row very often."""
        return self.name(name) << NAME_SHIFT | inputs << IN_SHIFT | outputs << OUT_SHIFT | kind

    def add(
        self,
        kind: int,
        name: str,
        place: int,
        inputs: tuple[int, ...],
        outputs: tuple[int, ...] = (),
        thread: int | None = None,
    ) -> None:
        """Append one event, of this thread unless told. `place` is -1 when no user line is known; `outputs` carry their
        dtype."""
        header = (
            self.name(name) << NAME_SHIFT
            | len(inputs) << IN_SHIFT
            | len(outputs) << OUT_SHIFT
            | (self.thread() if thread is None else thread & _THREAD_MASK) << THREAD_SHIFT
            | kind
        )
        self.recent.extend((header, place, *inputs, *outputs))
        if len(self.recent) > RECENT:
            self.settle()

    def settle(self) -> None:
        """Move what was written lately into the array. Called by the hot path when that has grown."""
        with self._lock:
            if self._settling:
                return
            self._settling = True
            try:
                self.recent.move(self._rows)
            finally:
                self._settling = False
        if len(self._rows) > self.limit:
            self.on_limit(len(self._rows))

    def forget(self, start: int, end: int) -> None:
        """Take out the rows from `start` up to `end`. The others keep their numbers."""
        with self._lock:
            self.settle()
            first, last = self._gaps.take_out(start, end)
            del self._rows[first:last]

    def operations(self, start: int, end: int) -> int:
        """How many operations there are from row `start` up to `end`."""
        rows, at, stop = self.rows, self._gaps.offset(start), self._gaps.offset(end)
        found = 0
        while at < stop:
            header = rows[at]
            found += header & _KIND_MASK <= GRAPH_OP
            at += 2 + (header >> IN_SHIFT & _IN_MASK) + (header >> OUT_SHIFT & _OUT_MASK)
        return found

    @property
    def forgot(self) -> bool:
        """Whether rows were taken out."""
        return self._gaps.shift > 0

    @property
    def rows(self) -> array[int]:
        """All numbers that were written and not taken out."""
        if self.recent:
            self.settle()
        return self._rows

    @property
    def position(self) -> int:
        """Where the next row will begin."""
        with self._lock:  # what was written lately may stay where it is: to move a little often is dear
            recent = 0 if self._settling else len(self.recent)
            return len(self._rows) + recent + self._gaps.shift

    def events(self, start: int = 0, end: int | None = None) -> Iterator[Event]:
        """The rows that begin at `start` (a row boundary) and before `end`; `Event.index` is where each begins."""
        rows, gaps = self.rows, self._gaps
        at = gaps.offset(start)
        stop = len(rows) if end is None else gaps.offset(end)
        pieces = iter(gaps.pieces(at))
        border, shift = next(pieces)
        while at < stop:
            while at >= border:
                border, shift = next(pieces)
            header = rows[at]
            n_in = header >> IN_SHIFT & _IN_MASK
            n_out = header >> OUT_SHIFT & _OUT_MASK
            first = at + 2 + n_in
            outputs = rows[first : first + n_out]
            yield Event(
                at + shift,
                header & _KIND_MASK,
                header >> NAME_SHIFT,
                header >> THREAD_SHIFT & _THREAD_MASK,
                rows[at + 1],
                tuple(rows[at + 2 : first]),
                tuple([value >> 8 for value in outputs]),
                tuple([value & 0xFF for value in outputs]),
            )
            at = first + n_out

    def others(self, made: dict[int, int | list[int]], dtypes: dict[int, int], but: frozenset[int]) -> Iterator[Event]:
        """Enter each operation with one output, which are nearly all rows, into `made` and `dtypes`; give the others.

        Operations whose name is in `but`, and tensors that were made twice, are among the others. An index over a
        million operations is built in a third of the time that it would take through `events`.
        """
        rows, gaps, stop = self.rows, self._gaps, len(self.rows)
        at = 0
        pieces = iter(gaps.pieces(at))
        border, shift = next(pieces)
        while at < stop:
            while at >= border:
                border, shift = next(pieces)
            header = rows[at]
            after = at + 2 + (header >> IN_SHIFT & _IN_MASK) + (header >> OUT_SHIFT & _OUT_MASK)
            if header & _PLAIN == _ONE_OUTPUT and header >> NAME_SHIFT not in but:
                output = rows[after - 1]
                tensor = output >> 8
                if tensor not in made:
                    made[tensor] = at + shift
                    dtypes.setdefault(tensor, output & 0xFF)
                    at = after
                    continue
            yield self.event(at + shift)
            at = after

    def event(self, at: int) -> Event:
        """The row that begins at `at`."""
        if self.forgot:
            return next(self.events(at, at + 1))
        rows = self.rows
        header = rows[at]
        first = at + 2 + (header >> IN_SHIFT & _IN_MASK)
        outputs = rows[first : first + (header >> OUT_SHIFT & _OUT_MASK)]
        return Event(
            at,
            header & _KIND_MASK,
            header >> NAME_SHIFT,
            header >> THREAD_SHIFT & _THREAD_MASK,
            rows[at + 1],
            tuple(rows[at + 2 : first]),
            tuple([value >> 8 for value in outputs]),
            tuple([value & 0xFF for value in outputs]),
        )

    def operation(self, at: int) -> tuple[int, array[int], int] | None:
        """Of an operation with one output that begins at `at`, what tells its form, its inputs, and its dtype.

        None for any other row. The form is a number that operations of one name and as many inputs share: who walks
        through a hundred thousand of them need not unpack each.
        """
        rows = self.rows
        if self.forgot:
            at = self._gaps.offset(at)
        header = rows[at]
        if header & _PLAIN != _ONE_OUTPUT:
            return None
        after = at + 2 + (header >> IN_SHIFT & _IN_MASK)
        return header >> OUT_SHIFT, rows[at + 2 : after], rows[after] & 0xFF

    def chain(self, place: int) -> tuple[Frame, ...]:
        """The user's call stack at a place, innermost first, as source ranges; generated code is mapped back."""
        if place < 0:
            return ()
        found = self._chains.get(place)
        if found is None:
            found = self._chains[place] = tuple(self._frames(self._places[place]))
        return found

    def _frames(self, chain: Iterable[tuple[CodeType, int, bool] | Frame]) -> Iterator[Frame]:
        for one in chain:
            if isinstance(one, Frame):
                yield one
                continue
            code, lasti, direct = one
            location = self._resolve(code, lasti)
            if location is not None:
                yield Frame(location, direct)

    def location(self, place: int) -> Location | None:
        """The innermost user line of a place; None when there is none."""
        chain = self.chain(place)
        return chain[0].location if chain else None

    def _resolve(self, code: CodeType, lasti: int) -> Location | None:
        found = resolve(code, lasti)
        if "__autograph_generated_file" in found.file:
            return self.source_maps.get((found.file, found.line))
        return found
