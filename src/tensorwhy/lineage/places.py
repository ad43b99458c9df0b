"""Where the things of one gradient question stand in the user's source, and facts of breaks that name these places."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping

from tensorwhy.lineage.callbacks import calls_of_python
from tensorwhy.lineage.graph import Lineage
from tensorwhy.lineage.steps import Step
from tensorwhy.model.facts.gradient import BREAKS, BreakKind, GradientBreak, Made
from tensorwhy.model.location import Location
from tensorwhy.model.question import GradientQuestion, Source
from tensorwhy.model.report import PathStep
from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Event, Frame


class Places:
    """Reads places off the lineage, as seen from the line that asks."""

    def __init__(self, lineage: Lineage, question: GradientQuestion) -> None:
        self._lineage = lineage
        self._question = question
        self.recorder = lineage.timeline.recorders.get(question.recorder)
        self.asked = lineage.journal.chain(question.place)
        # A long path is a loop: the same few steps over and over.
        self._shown = functools.cache(
            lambda op, place, connected: PathStep(op=op, location=self.at(place), connected=connected)
        )

    @functools.cached_property
    def ancestors(self) -> set[int]:
        """Everything whose value went into the targets."""
        return self._lineage.ancestors(self._question.targets, self._question.event)

    def chain(self, place: int) -> tuple[Frame, ...]:
        """The user's frames at a place, innermost first."""
        return self._lineage.journal.chain(place)

    def at(self, place: int) -> Location | None:
        """The innermost user line of a place."""
        return self._lineage.journal.location(place)

    def made(self, tensor: int) -> Location | None:
        """Where a tensor or variable was made, as seen from the scope in which the gradient was asked for.

        Of what an object made for itself it is the line in its constructor.
        """
        known = self._lineage.rules.variables.get(tensor)
        if known is not None and known.created is not None:
            return known.created
        for event in self._lineage.makers(tensor):
            if known is not None:
                return self.at(event.place)
            chain = self.chain(event.place)
            own = chain[: len(chain) - _shared(chain, self.asked)]
            location = next((f.location for f in own if f.location.runs_once), beside(chain, self.asked))
            if location is not None:
                return location
        return None

    def stand_in(self, steps: list[Step], watched: Mapping[int, int]) -> Location | None:
        """Where the recorder was told to watch what stands for a source inside of the traced function that it is given
        to.

        `watched` tells the row at which the recorder learned of a tensor.
        """
        for step in steps[:1]:
            name = self._lineage.journal.names[step.edge.event.name].partition("|")[0]
            function = self._lineage.rules.functions.get(name)
            if function is not None and 0 <= step.position < len(function.inputs):
                row = watched.get(function.inputs[step.position])
                return self.at(self._lineage.journal.event(row).place) if row is not None else None
        return None

    def written(self, tensor: int) -> Location | None:
        """The innermost line at which a tensor was made."""
        return next((self.at(event.place) for event in self._lineage.makers(tensor)), None)

    def own_target(self) -> Location | None:
        """The last line of the user's that went into the target, in a function that a library called: a loss.

        None where the asker itself computed the target.
        """
        if any(self._at_the_asker(event) is False for t in self._question.targets for event in self._lineage.makers(t)):
            return None
        rows = {event.index: event for tensor in self.ancestors for event in self._lineage.makers(tensor)}
        own = [at for at, event in rows.items() if event.kind != j.ENTRY and self._at_the_asker(event) is False]
        return beside(self.chain(rows[max(own)].place), self.asked) if own else None

    def _at_the_asker(self, event: Event) -> bool | None:
        """True if no frame of the user's stands between the call that asked and this row; None: it is not known."""
        chain = self.chain(event.place)
        return _shared(chain, self.asked) == len(chain) if chain and self.asked else None

    def dead_end(self, last: Event) -> Location | None:
        """The line after which nothing of a source goes on, seen from the call in which the target's lineage does."""
        later = [
            event
            for tensor in self.ancestors
            for event in self._lineage.makers(tensor)
            if event.index > last.index and event.thread == last.thread
        ]
        beyond = min(later, key=lambda event: event.index, default=None)
        return beside(self.chain(last.place), self.chain(beyond.place) if beyond is not None else self.asked)

    def gradient_call(self, events: list[Event]) -> int | None:
        """The place of an earlier gradient call that wrote one of these rows."""
        for event in events:
            place = self._lineage.timeline.gradient_call(event.index, event.thread)
            if place is not None and event.index < self._question.event:
                return place
        return None

    def forward_of(self, step: Step) -> Location | None:
        """For an operation of another gradient (`TanhGrad`): the line of the operation that it is the gradient of."""
        event = step.edge.event
        wanted, gradient, _ = step.edge.op.partition("Grad")  # CropAndResizeGradBoxes, MaxPoolGradV2
        if not gradient or self.gradient_call([event]) is None:
            return None
        shared = set(event.inputs)
        for tensor in event.inputs:
            for maker in self._lineage.makers(tensor):
                if self._lineage.op_name(maker) == wanted:
                    return self.at(maker.place)
        for maker in self._lineage.journal.events(0, event.index):
            if maker.kind <= j.GRAPH_OP and self._lineage.op_name(maker) == wanted and shared & set(maker.inputs):
                return self.at(maker.place)
        return None

    def exit_of(self, step: Step) -> Location | None:
        """Where a value that came back as an array or number had left the framework."""
        rows = [at for at in self._lineage.exits if at < step.edge.event.index]
        for event in map(self._lineage.journal.event, reversed(rows)):
            if event.inputs[0] == step.source:
                return self.at(event.place)
        return None

    def callback(self) -> Location | None:
        """The call of Python code in which this question's recorder was opened: it is recorded when it has returned.

        In a graph it was recorded before, while tracing; then it is known where there is only one.
        """
        if self.recorder is None:
            return None
        calls = calls_of_python(self._lineage)
        after = [call for call in calls if call.kind == j.OP and call.index > self.recorder.created]
        places = {call.place for call in after[:1] or calls}
        return self.at(places.pop()) if len(places) == 1 else None

    def path(self, steps: list[Step]) -> tuple[PathStep, ...]:
        """The way from a source to the target as the report shows it."""
        return tuple([self._shown(step.edge.op, step.edge.event.place, not step.lost) for step in steps])

    def fact(self, kind: BreakKind, source: Source, path: tuple[PathStep, ...] = (), **fields: object) -> GradientBreak:
        """A break of this question, with everything filled in that does not depend on the break."""
        recorder = self.recorder
        base: dict[str, object] = {
            "kind": kind,
            "question": self._question,
            "sources": (source,),
            "path": path,
            "made": Made(
                source=self.made(source.tensor),
                target=next((place for place in map(self.made, self._question.targets) if place), None),
                recorder=self.at(recorder.opened) if recorder else None,
                persistent=recorder.persistent if recorder else False,
            ),
        }
        if kind == "not-watched" and recorder is not None:
            base["auto_watch"] = recorder.auto_watch
        return BREAKS[kind](**{**base, **fields})  # type: ignore[arg-type]


def _shared(chain: tuple[Frame, ...], other: tuple[Frame, ...]) -> int:
    """How many outermost frames two call stacks share, and stand at the same instruction in."""
    count = 0
    for mine, theirs in zip(reversed(chain), reversed(other)):
        if mine.location != theirs.location:
            break
        count += 1
    return count


def beside(chain: tuple[Frame, ...], other: tuple[Frame, ...]) -> Location | None:
    """Where `chain` stands in the outermost frame that is not at the same place in `other`.

    Seen from the call that both have in common, this is the user's line that led to the inner frames of `chain`.
    """
    index = len(chain) - 1 - _shared(chain, other)
    return chain[max(index, 0)].location if chain else None


def whole_run(
    first: tuple[Frame, ...], last: tuple[Frame, ...], other: tuple[Frame, ...], is_return: Callable[[Location], bool]
) -> tuple[Location | None, Location | None]:
    """Where a run of operations, from `first` to `last`, begins and ends in the function that keeps what it made.

    That is the innermost call that holds the whole run; its caller where all of the run stands in a `return`, and so on
    up to the scope shared with `other`.
    """
    begin, end = own_index(first, other), own_index(last, other)
    if begin < 0 or end < 0:
        return None, None
    same = min(_shared(first, last), len(first) - 1, len(last) - 1)
    begin, end = max(begin, len(first) - 1 - same), max(end, len(last) - 1 - same)
    while len(first) - begin == len(last) - end and begin < len(first) - 1 - _shared(first, other):
        if not (is_return(first[begin].location) and is_return(last[end].location)):
            break
        begin, end = begin + 1, end + 1
    return first[begin].location, last[end].location


def own_index(chain: tuple[Frame, ...], other: tuple[Frame, ...]) -> int:
    """Which frame of `chain` stands at its `own_line`; -1 when there is none."""
    index = len(chain) - 1 - _shared(chain, other)
    # To call a layer again in the recorder, or to make another, repairs nothing of what is done but once.
    index = next((i for i in range(index) if chain[i].location.runs_once), index)
    while index > 0 and chain[index - 1].direct:
        index -= 1
    return max(index, 0) if chain else -1


def own_line(chain: tuple[Frame, ...], other: tuple[Frame, ...]) -> Location | None:
    """The innermost line that the user's code reached by its own calls, from the scope shared with `other` on.

    A layer's `call` that Keras called is not it; the line that called the layer is.
    """
    return chain[own_index(chain, other)].location if chain else None


def shared_line(
    chain: tuple[Frame, ...], other: tuple[Frame, ...], rows: Iterable[tuple[Frame, ...]]
) -> Location | None:
    """The innermost such line by which all `rows` ran; the `own_line` of `chain` where there is none."""
    lines = [{frame.location for frame in row} for row in rows]
    for frame in chain[own_index(chain, other) : len(chain) - _shared(chain, other)] if chain else ():
        if all(frame.location in each for each in lines):
            return frame.location
    return own_line(chain, other)
