"""When each recorder was recording, on which thread, and what it tracked: its own rules, replayed on the journal."""

from __future__ import annotations

import bisect
from collections import defaultdict
from typing import Literal, NamedTuple

import msgspec

from tensorwhy.lineage.kernel_reads import kernel_reads
from tensorwhy.lineage.rules import Rules
from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Event, Journal

Region = Literal["", "before", "after", "paused", "reset", "other-thread", "between"]


class Span(msgspec.Struct, kw_only=True):
    """From `start` up to `end` (row offsets) the recorder was on the stack of `thread`. None: still open."""

    thread: int
    start: int
    end: int | None = None
    opened: int = -1
    closed: int = -1
    closed_by: str = ""


class Recorder(msgspec.Struct, kw_only=True):
    """What one framework calls a tape and another one a graph, or an accumulator (`forward`).

    `opened` is the place, `created` the row; `by_reset` when it replaced another by `reset()`.
    """

    serial: int
    persistent: bool = False
    auto_watch: bool = True
    opened: int = -1
    created: int = 0
    by_reset: bool = False
    forward: bool = False
    spans: list[Span] = msgspec.field(default_factory=list)


class Replay(NamedTuple):
    """What a recorder knew.

    `tracked`: tensor -> the row by which the recorder learned of it. `recorded`: the rows that it recorded. `makers`:
    tensor -> the row through which the recorder goes back: the last one, so that a custom gradient replaces what it
    held. `reached`: what earlier questions found to be reached by going back from these targets (see `Prediction`).
    `reads`: the variables whose values were read out of sight (see `kernel_reads`).
    """

    tracked: dict[int, int]
    recorded: set[int]
    makers: dict[int, int]
    reached: dict[tuple[int, ...], set[int]]
    reads: dict[int, int]


class _Replayed(NamedTuple):
    """A replay, up to which row it went, and the dtypes of what it met."""

    until: int
    replay: Replay
    dtypes: dict[int, int]


_REPLAYS = 2
"""Of so many recorders it is remembered what they knew when the last question was asked."""


class Timeline:
    """All recorders of a journal. Built in one pass over the rows."""

    def __init__(self, journal: Journal, rules: Rules) -> None:
        self._journal = journal
        self._rules = rules
        self.recorders: dict[int, Recorder] = {}
        self._gradients: dict[int, list[list[int]]] = defaultdict(list)
        self._pauses: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
        self._replays: dict[int, _Replayed] = {}

    def see(self, event: Event) -> None:
        """Take one row into account, in order."""
        kind = event.kind
        if kind == j.RECORDER_NEW:
            serial, persistent, auto_watch = event.inputs
            by = self._journal.names[event.name]
            self.recorders[serial] = Recorder(
                serial=serial,
                persistent=bool(persistent),
                auto_watch=bool(auto_watch),
                opened=event.place,
                created=event.index,
                by_reset=by == "reset",
                forward=by == j.FORWARD,
            )
            if by != j.FORWARD:
                self._open(serial, event)
        elif kind == j.RECORDER_ADD:
            self._open(event.inputs[0], event)
        elif kind == j.RECORDER_REMOVE:
            recorder = self.recorders.get(event.inputs[0])
            if recorder is not None and recorder.spans and recorder.spans[-1].end is None:
                span = recorder.spans[-1]
                span.end, span.closed, span.closed_by = event.index, event.place, self._journal.names[event.name]
        elif kind == j.GRADIENT:
            self._gradients[event.thread].append([event.index, -1, event.place])
        elif kind == j.GRADIENT_END:
            for call in reversed(self._gradients[event.thread]):
                if call[1] < 0:
                    call[1] = event.index
                    break
        elif kind == j.STOP:
            self._pauses[event.thread].append((event.index, -1, event.place))
        elif kind == j.RESTART:
            pauses = self._pauses[event.thread]
            if pauses and pauses[-1][1] < 0:
                pauses[-1] = (pauses[-1][0], event.index, pauses[-1][2])

    def _open(self, serial: int, event: Event) -> None:
        recorder = self.recorders.setdefault(serial, Recorder(serial=serial, opened=event.place, created=event.index))
        recorder.spans.append(Span(thread=event.thread, start=event.index, opened=event.place))

    def span(self, serial: int, at: int, thread: int) -> Span | None:
        """The span of the recorder that covers a row; None when the recorder was not on this thread's stack then."""
        recorder = self.recorders.get(serial)
        if recorder is None:
            return None
        for span in reversed(recorder.spans):
            if span.thread == thread and span.start < at and (span.end is None or at < span.end):
                return span
        return None

    def on_another(self, serial: int, at: int, thread: int) -> bool:
        """Return whether a recorder, or an accumulator, other than this one was on the thread's stack at a row."""
        return any(other != serial and self.span(other, at, thread) is not None for other in self.recorders)

    def paused(self, at: int, thread: int) -> int | None:
        """The place where recording was stopped on this thread, when a row falls into the pause."""
        pauses = self._pauses.get(thread)
        if not pauses:
            return None
        index = bisect.bisect_left(pauses, (at,)) - 1
        if index < 0:
            return None
        _, end, place = pauses[index]
        return place if end < 0 or at < end else None

    def gradient_call(self, at: int, thread: int) -> int | None:
        """The place of the gradient call during which a row was written; None when there was none."""
        calls = self._gradients[thread]
        index = bisect.bisect_left(calls, at, key=lambda call: call[0]) - 1
        while index >= 0 and calls[index][1] >= 0:
            if at < calls[index][1]:
                return calls[index][2]
            if calls[index][1] <= at and (index == 0 or calls[index - 1][1] <= calls[index][0]):
                return None
            index -= 1
        return calls[index][2] if index >= 0 else None

    def region(self, serial: int, event: Event) -> Region:
        """Why the recorder did not record a row; empty when it would have recorded it."""
        recorder = self.recorders.get(serial)
        if recorder is None or not recorder.spans:
            return ""
        if self.span(serial, event.index, event.thread) is not None:
            # TensorFlow pauses recording around each call of a traced function, and then records the call if need be.
            called = self._journal.names[event.name] in self._rules.functions
            return "paused" if not called and self.paused(event.index, event.thread) is not None else ""
        if event.index < recorder.spans[0].start:
            return "reset" if recorder.by_reset else "before"
        if any(span.start < event.index and (span.end is None or event.index < span.end) for span in recorder.spans):
            return "other-thread"
        for earlier, later in zip(recorder.spans, recorder.spans[1:]):
            if earlier.end is not None and earlier.end <= event.index < later.start:
                return "paused" if earlier.closed_by == "stop_recording" else "between"
        return "after"

    def pause(self, serial: int, at: int) -> int:
        """The row at which the program took the recorder off, when it put it back later than `at`; -1 for anything
        else.

        TensorFlow pauses recording for itself in another way, by which the recorder stays where it is.
        """
        recorder = self.recorders.get(serial)
        for earlier, later in zip(recorder.spans, recorder.spans[1:]) if recorder is not None else ():
            if earlier.end is not None and earlier.end <= at < later.start:
                return earlier.end
        return -1

    def replay(self, serial: int, until: int) -> Replay:
        """What the recorder knew just before row `until`; goes on from an earlier question's answer."""
        recorder = self.recorders.get(serial)
        if recorder is None:
            return Replay({}, set(), {}, {}, {})
        known = self._replays.pop(serial, None)
        if known is None or known.until > until:
            known = _Replayed(recorder.created, Replay({}, set(), {}, {}, {}), {})
        if known.until < until:
            known = _Replayed(until, self._replayed(recorder, known, until), known.dtypes)
        self._replays[serial] = known
        if len(self._replays) > _REPLAYS:
            del self._replays[next(iter(self._replays))]
        return known.replay

    def _replayed(self, recorder: Recorder, known: _Replayed, until: int) -> Replay:
        journal, functions = self._journal, self._rules.functions
        before, dtypes, serial = known.replay, known.dtypes, recorder.serial
        tracked, recorded, makers = before.tracked.copy(), before.recorded.copy(), before.makers.copy()
        reached, reads = before.reached.copy(), before.reads.copy()
        only = recorder.spans[0] if len(recorder.spans) == 1 else None
        early: dict[int, list[Event]] = {}

        def record(event: Event) -> None:
            recorded.add(event.index)
            for output in event.outputs:
                tracked.setdefault(output, event.index)
                if reached and any(output in each for each in reached.values()):
                    reached.clear()  # recorded by hand, after it was asked about
                makers[output] = event.index

        for event in journal.events(known.until, until):
            kind = event.kind
            if kind in (j.WATCH, j.WATCH_VARIABLE):
                if event.inputs[0] == serial:
                    tracked.setdefault(event.inputs[1], event.index)
            elif kind == j.ACCESS:
                spanned = recorder.auto_watch and self.span(serial, event.index, event.thread) is not None
                # `tf.stop_gradient` pauses recording around itself: a variable that it is given is read in there.
                if spanned and self.paused(event.index, event.thread) is None:
                    tracked.setdefault(event.inputs[0], event.index)
            elif kind in (j.OP, j.GRAPH_OP, j.RECORDED):
                dtypes.update(zip(event.outputs, event.dtypes, strict=True))
                # A call of a traced function is executed with recording paused, then recorded by hand.
                by_hand = kind != j.RECORDED and journal.names[event.name] in functions
                surely = (  # nearly always, and `region` would say so in three times the time
                    only is not None
                    and event.thread == only.thread
                    and event.thread not in self._pauses
                    and only.start < event.index
                    and (only.end is None or event.index < only.end)
                )
                if by_hand or not (surely or not self.region(serial, event)):
                    continue
                if self._records(event, recorder, tracked, dtypes, reads):
                    record(event)
                elif kind == j.RECORDED:
                    for value in event.inputs:
                        if value > 0 and value not in dtypes:
                            early.setdefault(value, []).append(event)
                # A tangent is computed of what the kernel read, before the row of its operation is written.
                for value, _ in kernel_reads(event) if early else ():
                    for call in early.pop(value, ()) if value in tracked else ():
                        record(call)
        return Replay(tracked, recorded, makers, reached, reads)

    def _records(
        self, event: Event, recorder: Recorder, tracked: dict[int, int], dtypes: dict[int, int], reads: dict[int, int]
    ) -> bool:
        hit = given = False
        for value in event.inputs:
            handle = j.variable_handle(value)
            if handle is not None:
                variable = self._rules.variables.get(handle)
                # The kernel reads the variable itself, and tells the recorder as an access would.
                if recorder.auto_watch and variable is not None and variable.trainable:
                    tracked.setdefault(handle, event.index)
                given = given or handle in tracked
            elif value in tracked and dtypes.get(value, 1) in self._rules.differentiable:
                hit = True
        if given and not recorder.forward:  # tangents are computed between the reading and the operation
            for value, handle in kernel_reads(event):
                if handle in tracked and value not in dtypes:
                    tracked.setdefault(value, event.index)
                    reads[value] = handle
        return hit or given
