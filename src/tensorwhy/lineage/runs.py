"""Neighbouring operations of a path that were not recorded: where such a run begins, and by which call it ran."""

from __future__ import annotations

import ast
import functools
from collections import defaultdict
from collections.abc import Callable, Mapping

from tensorwhy.lineage.graph import Lineage
from tensorwhy.lineage.places import Places, beside, whole_run
from tensorwhy.lineage.steps import Lost, Step
from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.model.location import Location
from tensorwhy.model.question import Source
from tensorwhy.model.report import PathStep
from tensorwhy.source import reading
from tensorwhy.source.dataflow import Dataflow
from tensorwhy.source.files import walked


class Runs:
    """Answers for one question; `ways` gives the path of each of its sources."""

    def __init__(
        self,
        lineage: Lineage,
        places: Places,
        flow: Dataflow,
        ways: Callable[[], Mapping[int, list[Step] | None]],
    ) -> None:
        self._lineage = lineage
        self._places = places
        self._flow = flow
        self._ways = ways

    def fact(self, source: Source, lost: Lost, run: list[Step], path: tuple[PathStep, ...]) -> GradientBreak:
        """Neighbouring operations that were not recorded, seen from the scope in which the recorder was opened."""
        places, recorder = self._places, self._places.recorder
        first = run[0].edge.event
        chains = places.chain(first.place), places.chain(run[-1].edge.event.place)
        location, last, call = self._run(run)
        within = self._all.get(call, set()) if call is not None else set()
        if len(within) > 1 and not any(map(self._repeats, within)):
            if location is None or not location.runs_once:
                location, last = call, None  # to move this one call mends all that ran in it
            else:  # all of the line is to be done in each step
                same = [place for place in within if place and place.order[:2] == location.order[:2]]
                location, last = min(same, key=lambda place: place.order), None
        closed = -1
        if recorder is not None and lost.region in ("after", "between", "paused"):
            before = [span for span in recorder.spans if span.end is not None and span.end <= first.index]
            closed = before[-1].closed if before else self._lineage.timeline.paused(first.index, first.thread) or -1
        if (
            lost.region == "paused" and closed >= 0
        ):  # whatever is called there: what stands in the pause is what it cuts
            location, last = (beside(chain, places.chain(closed)) for chain in chains)
        return places.fact(
            "not-recorded",
            source,
            path,
            op=run[0].edge.op,
            location=location,
            last=last if last != location else None,
            called=self._call_beside(call, location) if lost.region in ("before", "after") else None,
            region=lost.region,
            recorder_closed=places.at(closed),
        )

    @functools.cached_property
    def _all(self) -> dict[Location | None, set[Location | None]]:
        """By the call in the recorder's scope: where what was not recorded begins within it, for any source."""
        found: dict[Location | None, set[Location | None]] = defaultdict(set)
        for steps in self._ways().values():
            outside = [step for step in steps or () if any(lost.kind == "not-recorded" for lost in step.lost)]
            if outside:
                location, _, call = self._run(outside)
                found[call].add(location)
        return found

    def _run(self, run: list[Step]) -> tuple[Location | None, Location | None, Location | None]:
        """Where a run begins and ends, and the call in the scope of the recorder by which it ran."""
        places, recorder = self._places, self._places.recorder
        opened = places.chain(recorder.opened) if recorder else ()
        chains = places.chain(run[0].edge.event.place), places.chain(run[-1].edge.event.place)
        same = beside(chains[0], opened) == beside(chains[1], opened)
        return *whole_run(*chains, opened, self._is_return), beside(chains[0], opened) if same else None

    def _call_beside(self, call: Location | None, location: Location | None) -> Location | None:
        """The call in the function that opened the recorder, where what it led to stands in another one."""
        opened = self._places.at(self._places.recorder.opened) if self._places.recorder is not None else None
        if call is None or location is None or opened is None or location.runs_once:
            return None
        mine = (opened.file, opened.function)
        return call if (call.file, call.function) == mine != (location.file, location.function) else None

    def _repeats(self, place: Location | None) -> bool:
        """Return whether a line stands in a loop of its function."""
        scope = self._flow.sources.function(place) if place is not None else None
        return place is not None and any(
            isinstance(node, (ast.For, ast.While)) and reading.on_line(node, place.line)
            for node in (walked(scope) if scope is not None else ())
        )

    def _is_return(self, place: Location) -> bool:
        return isinstance(self._flow.sources.statement(place), ast.Return)
