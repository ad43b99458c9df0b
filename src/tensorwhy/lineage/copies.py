"""Another variable was filled with the values of a source, and the target was computed from that one."""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Callable, Mapping

import msgspec

from tensorwhy.lineage.graph import Lineage
from tensorwhy.lineage.places import Places, shared_line
from tensorwhy.lineage.steps import Step
from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.model.location import Location
from tensorwhy.model.question import GradientQuestion, Source
from tensorwhy.model.report import PathStep
from tensorwhy.recording.journal import Frame


class Copies:
    """The copies that one question is about; `ways` gives the steps from each source to the target."""

    def __init__(
        self,
        lineage: Lineage,
        question: GradientQuestion,
        places: Places,
        opened: int,
        ways: Callable[[], Mapping[int, list[Step] | None]],
    ) -> None:
        self._lineage = lineage
        self._question = question
        self._places = places
        self._opened = opened
        self._ways = ways

    def explain(self, source: Source, steps: list[Step], path: tuple[PathStep, ...]) -> GradientBreak | None:
        """The fact about a source of which a copy was used; None for any other."""
        step, places, known = self._filled(source, steps), self._places, self._lineage.rules.variables
        if step is None:
            return None
        other, entry = step.edge.event.inputs[0], places.at(step.edge.event.place)
        return places.fact(
            "copied",
            source,
            path,
            location=shared_line(self._used(step), places.asked, self._together[entry]),
            entry=entry,
            instead=(msgspec.structs.replace(known[other], created=places.made(other)),),
        )

    def copy(self, source: Source, steps: list[Step]) -> int | None:
        """The variable that was filled with the source, on its way to the target."""
        step = self._filled(source, steps)
        return step.edge.event.inputs[0] if step is not None else None

    @functools.cached_property
    def _together(self) -> dict[Location | None, list[tuple[Frame, ...]]]:
        """By the line that filled copies: how each of them was used."""
        found: dict[Location | None, list[tuple[Frame, ...]]] = defaultdict(list)
        for source in self._question.sources:
            step = self._filled(source, self._ways()[source.tensor] or [])
            if step is not None:
                found[self._places.at(step.edge.event.place)].append(self._used(step))
        return found

    def _used(self, step: Step) -> tuple[Frame, ...]:
        read = next(iter(self._lineage.makers(step.made)), step.edge.event)
        return self._places.chain(read.place)

    def _filled(self, source: Source, steps: list[Step]) -> Step | None:
        """The step that filled the copy, before the recorder was opened."""
        known = self._lineage.rules.variables
        for step in steps:
            if step.edge.loss != "state" and step.edge.op not in self._lineage.rules.copying:
                return None  # what is stored then is no copy, but something that was computed
            other = step.edge.event.inputs[0] if step.edge.loss == "state" else -1
            if (
                source.variable
                and self._lineage.op_name(step.edge.event) in self._lineage.rules.storing
                and step.edge.event.index < self._opened
                and other != source.tensor
                and other in known
                and known[other].trainable
                and known[other].shape == source.shape
            ):
                return step
        return None
