"""Explains what a program lost that was killed before it could: from its trace, without its files or its framework.

Everything in a trace was written by somebody else. It is only computed with, for a bounded time, and what does not fit
together costs the explanation of this worker, which its report then says.
"""

from __future__ import annotations

import bisect
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from tensorwhy.lineage.gradient import Explainer
from tensorwhy.lineage.graph import Lineage
from tensorwhy.lineage.questions import distinct, symptom
from tensorwhy.lineage.rules import Rules
from tensorwhy.lineage.view import Details, Viewer
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.location import Location
from tensorwhy.model.messages import counted
from tensorwhy.model.optable import OpFacts, Vocabulary
from tensorwhy.model.question import GradientQuestion
from tensorwhy.model.report import Report
from tensorwhy.pipeline.budget import Spent, limited
from tensorwhy.pipeline.explaining import explained as in_words
from tensorwhy.pipeline.internal_errors import InternalErrors
from tensorwhy.recording.journal import Frame, Journal
from tensorwhy.source.dataflow import Dataflow
from tensorwhy.source.files import Sources
from tensorwhy.traces.columns import KINDS
from tensorwhy.traces.findings import Place, Steps, place_of
from tensorwhy.traces.observed import Observed
from tensorwhy.traces.reader import Worker
from tensorwhy.traces.tables import Room

_SECONDS = 20.0
"""Processor time for one worker."""
_EVENTS, _BYTES = 1_000_000, 256 << 20
"""Events of one worker that are read, and the memory that they may take."""
_NUMBERS = {word: number for number, word in KINDS.items()}


class Given(Sources):
    """Source files whose text came with the trace. Nothing is read from the disk, whatever the trace names."""

    def __init__(self, texts: dict[str, str]) -> None:
        super().__init__()
        self._texts = {file: text.splitlines(keepends=True) for file, text in texts.items()}

    def lines(self, file: str) -> list[str]:
        return self._texts.get(file, [])


def explained(worker: Worker) -> tuple[Report, Steps] | None:
    """What can be said of a worker that did not end, and at which steps; None where its trace has nothing to say."""
    observed = worker.observed()
    if observed is None or observed.vocabulary is None or not observed.questions:
        return None
    errors = InternalErrors()
    manifest = worker.manifest
    report = Report(
        tool_version=manifest.tool_version,
        program=manifest.program,
        environment=manifest.environment,
        coverage=manifest.coverage,
    )
    steps: Steps = {}
    with errors.bulkhead(f"explaining what {manifest.worker} recorded"):
        groups: list[CaseGroup] = []
        try:
            with limited(_SECONDS):
                recording = _Recording(worker, observed, observed.vocabulary)
                steps = recording.steps()
                for group in recording.groups():
                    groups.append(group)
                if recording.unexplained:
                    left = counted(recording.unexplained, "gradient call")
                    why = f"{manifest.worker} was killed before its trace described all operations"
                    errors.add([f"{left} with lost gradients not explained: {why}"])
                if recording.unexplained and not groups:
                    seen = msgspec.structs.replace(report.coverage, recorded_ops=0, steps_recorded=0)
                    report = msgspec.structs.replace(report, coverage=seen)
        except Spent:
            errors.add([f"explaining all of {manifest.worker} takes more than {_SECONDS:.0f} s: this is a part of it"])
        try:
            with limited(_SECONDS):
                diagnoses, excerpts = in_words(groups, errors, Given(observed.sources))
                report = msgspec.structs.replace(report, diagnoses=diagnoses, excerpts=excerpts)
        except Spent:
            errors.add([f"putting {len(groups)} findings of {manifest.worker} into words takes too long"])
    unobserved = (*report.coverage.unobserved, *errors.lines())
    coverage = msgspec.structs.replace(report.coverage, unobserved=unobserved)
    return msgspec.structs.replace(report, coverage=coverage), steps


class _Recording:
    """What a session would hold, from its trace. Places and rows get numbers of their own."""

    def __init__(self, worker: Worker, observed: Observed, vocabulary: Vocabulary) -> None:
        self._worker = worker
        self._observed = observed
        self.sources = Given(observed.sources)
        self._journal = Journal()
        self._places = self._read_places()
        self._rows: list[tuple[int, int]] = []
        self._untold: set[str] = set()
        self.unexplained = 0
        """Questions on whose way are operations of which the trace did not come to tell what they do."""
        self._read_events(vocabulary)
        facts = {(name, inputs): each for name, inputs, each in observed.operations}

        def op(name: str, inputs: tuple[str | None, ...], outputs: tuple[str | None, ...]) -> OpFacts:
            known = facts.get((name, len(inputs)))
            if known is None:
                self._untold.add(name)
            return known or OpFacts(name=name, differentiability="unknown")

        rules = Rules(
            op=op,
            functions={each.name: each for each in observed.functions},
            variables={each.tensor: each for each in observed.variables},
            **{name: getattr(vocabulary, name) for name in Vocabulary.__struct_fields__},
        )
        self._lineage = Lineage(
            self._journal,
            rules,
            {self._row(row): inputs for row, inputs in observed.custom_none.items()},
            {self._row(row): inputs for row, inputs in observed.call_none.items()},
            {self._row(row): count for row, count in observed.padded.items()},
        )

    def groups(self) -> Iterator[CaseGroup]:
        """The questions that the program asked, with what explains them."""
        flow = Dataflow(self.sources)
        gap = None if self._observed.gap is None else self._row(self._observed.gap)
        for question in distinct(list(map(self._renumbered, self._observed.questions))):
            explainer = Explainer(self._lineage, question, flow, gap=gap, left_out=self._observed.left_out)
            viewer = Viewer(self._lineage, question, self.sources, Details({}, {}, {}))
            group = CaseGroup(
                symptom=symptom(question), lineage=viewer.view, times=question.times, steps=question.steps, asked=True
            )
            if question.error:
                found = [msgspec.structs.replace(group, facts=explainer.refused(), asked=False)]
            else:
                breaks = (tuple(explainer.breaks(source)) for source in question.sources)
                found = [msgspec.structs.replace(group, facts=each) for each in breaks]
            if self._untold:
                self.unexplained += 1
            else:
                yield from found

    def steps(self) -> Steps:
        """The first and last step at each place whose answer held a None."""
        found: dict[Place, tuple[int, int]] = {}
        for part in self._worker.table("steps", Room(_EVENTS, _BYTES)):
            for step, place, lost in zip(part["step"], part["place"], part["lost"]):
                location = self._location(place) if lost else None
                if location is not None:
                    first, last = found.get(place_of(location), (step, step))
                    found[place_of(location)] = min(first, step), max(last, step)
        return found

    def _location(self, place: int) -> Location | None:
        return self._journal.location(self._places.get(place, -1))

    def _renumbered(self, question: GradientQuestion) -> GradientQuestion:
        handles = {source.tensor for source in question.sources}
        return msgspec.structs.replace(
            question,
            event=self._row(question.event),
            place=self._places.get(question.place, -1),
            warned=question.warned or not handles.isdisjoint(self._observed.warned),
            refused=question.refused or not handles.isdisjoint(self._observed.refused),
        )

    def _row(self, event: int) -> int:
        """The row of what was at this event, or the first one after it."""
        at = bisect.bisect_left(self._rows, (event, 0))
        return self._rows[at][1] if at < len(self._rows) else self._journal.position

    def _read_places(self) -> dict[int, int]:
        frames: dict[int, list[tuple[int, Frame]]] = defaultdict(list)
        names = ("place", "depth", "file", "line", "column", "end_line", "end_column", "function", "direct")
        for part in self._worker.table("locations", Room(_EVENTS, _BYTES)):
            for place, depth, file, line, column, end_line, end_column, function, direct in _rows(part, names):
                location = Location(
                    file=file, line=line, column=column, end_line=end_line, end_column=end_column, function=function
                )
                frames[place].append((depth, Frame(location, direct)))
        chains = {place: tuple(frame for _, frame in sorted(found, key=_depth)) for place, found in frames.items()}
        return {place: self._journal.known_place(chain) for place, chain in chains.items()}

    def _read_events(self, vocabulary: Vocabulary) -> None:
        dtypes = {name: number for number, name in vocabulary.dtypes.items()}
        names = ("event", "kind", "name", "thread", "place", "inputs", "outputs", "dtypes")
        for part in self._worker.table("events", Room(_EVENTS, _BYTES)):
            for event, kind, name, thread, place, inputs, outputs, made in _rows(part, names):
                self._rows.append((event, self._journal.position))
                given = tuple(tensor << 8 | dtypes.get(dtype, 0) & 0xFF for tensor, dtype in zip(outputs, made))
                self._journal.add(
                    _NUMBERS[kind], name, self._places.get(place, -1), tuple(inputs), given, thread=thread
                )


def _depth(one: tuple[int, Frame]) -> int:
    return one[0]


def _rows(part: dict[str, list[Any]], names: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    return zip(*(part[name] for name in names))
