"""From what a session holds to the columns of a trace's tables."""

from __future__ import annotations

import itertools
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from tensorwhy.model.question import GradientQuestion, Source, Variable
from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Journal
from tensorwhy.recording.stepped import Stepped
from tensorwhy.traces.tables import Column, Lists

ROWS = 500_000
"""So many events go into one file at most."""
KINDS = {
    j.OP: "op",
    j.GRAPH_OP: "graph-op",
    j.RECORDED: "recorded",
    j.ENTRY: "entry",
    j.EXIT: "exit",
    j.RECORDER_NEW: "tape-new",
    j.RECORDER_ADD: "tape-add",
    j.RECORDER_REMOVE: "tape-remove",
    j.WATCH: "watch",
    j.WATCH_VARIABLE: "watch-variable",
    j.ACCESS: "access",
    j.STOP: "stop",
    j.RESTART: "restart",
    j.QUESTION: "question",
    j.GRADIENT: "gradient",
    j.GRADIENT_END: "gradient-end",
}

Columns = Mapping[str, "Column | Lists"]


class Rows(NamedTuple):
    """Some of the events, and the places that they name.

    `end` is the row after them, `operations` how many are operations, `forms` the names and numbers of inputs of these.
    """

    columns: Columns
    places: set[int]
    end: int
    operations: int
    forms: set[tuple[str, int]]


def events(journal: Journal, start: int, end: int, dtypes: Mapping[int, str], most: int = ROWS) -> Iterator[Rows]:
    """The rows of the journal from `start` up to `end`, at most so many at a time."""
    walk = journal.events(start, end)
    while True:
        numbers, places = array("q"), array("q")
        kinds: list[str] = []
        names: list[str] = []
        threads: list[int] = []
        forms: set[tuple[int, int]] = set()
        inputs, outputs, made = Lists(), Lists(), Lists(dtypes)
        for event in itertools.islice(walk, most):
            numbers.append(event.index)
            places.append(event.place)
            kinds.append(KINDS.get(event.kind, str(event.kind)))
            names.append(journal.names[event.name])
            threads.append(event.thread)
            inputs.add(event.inputs)
            outputs.add(event.outputs)
            made.add(event.dtypes)
            if event.kind <= j.GRAPH_OP:
                forms.add((event.name, len(event.inputs)))
        if not numbers:
            return
        yield Rows(
            {
                "event": numbers,
                "kind": kinds,
                "name": names,
                "thread": threads,
                "place": places,
                "inputs": inputs,
                "outputs": outputs,
                "dtypes": made,
            },
            set(places),
            event.index + 2 + len(event.inputs) + len(event.outputs),
            kinds.count(KINDS[j.OP]) + kinds.count(KINDS[j.GRAPH_OP]),
            {(journal.names[name], count) for name, count in forms},
        )


def locations(journal: Journal, places: Iterable[int]) -> Columns:
    """The user's call stack at each place, innermost first."""
    rows = [
        (place, depth, *_range(frame), frame.location.function, frame.direct)
        for place in places
        for depth, frame in enumerate(journal.chain(place))
    ]
    names = ("place", "depth", "file", "line", "column", "end_line", "end_column", "function", "direct")
    return _transposed(names, rows)


def _range(frame: j.Frame) -> tuple[str, int, int | None, int | None, int | None]:
    at = frame.location
    return at.file, at.line, at.column, at.end_line, at.end_column


def variables(found: Iterable[Variable]) -> Columns:
    """What is known of variables."""
    rows = [(v.tensor, v.name, v.dtype, _shape(v.shape), v.trainable) for v in found]
    return _transposed(("tensor", "name", "dtype", "shape", "trainable"), rows)


def _shape(shape: tuple[int | None, ...] | None) -> list[int] | None:
    """Unknown sizes are -1, as TensorFlow writes them."""
    return None if shape is None else [-1 if size is None else size for size in shape]


def questions(asked: Iterable[GradientQuestion]) -> Columns:
    """Gradient questions, one row for each source that got None."""
    rows = [
        (*(q.event, q.place, q.recorder, q.asked, list(q.targets), q.error), *_source(source))
        for q in asked
        for source in q.sources
    ]
    names = ("event", "place", "tape", "asked", "targets", "error", "position", "source", "name", "dtype", "variable")
    return _transposed(names, rows)


def _source(source: Source) -> tuple[int, int, str, str, bool]:
    return source.position, source.tensor, source.name, source.dtype, source.variable


def steps(taken: Sequence[tuple[int, Stepped]]) -> Columns:
    """Gradient calls, each with its number at its place and replica."""
    rows = [(number, s.place, s.replica, s.event, s.lost, s.recorded, s.time) for number, s in taken]
    return _transposed(("step", "place", "replica", "event", "lost", "recorded", "time"), rows)


def _transposed(names: Sequence[str], rows: Sequence[tuple[object, ...]]) -> Columns:
    return {name: [row[index] for row in rows] for index, name in enumerate(names)}
