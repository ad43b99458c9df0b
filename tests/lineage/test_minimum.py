"""The breaks that are reported for a source are a smallest set that reconnects it, compared with every set."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from support.lineages import FLOAT, lineage_of
from tensorwhy.lineage.gradient import Explainer
from tensorwhy.lineage.graph import Lineage
from tensorwhy.lineage.search import repairs
from tensorwhy.lineage.together import ways
from tensorwhy.model.question import GradientQuestion, Source
from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Journal
from tensorwhy.source.dataflow import Dataflow
from tensorwhy.source.files import Sources

SOURCES = 2
BREAKS = {"Stop": "stop-gradient", "Floor": "no-gradient"}


class Made(NamedTuple):
    """An operation as it is drawn: its name, which earlier tensors it takes, and what happens before it."""

    name: str
    inputs: tuple[int, ...]
    before: str


drawn = st.builds(
    Made,
    st.sampled_from(["Add", "Add", "Add", "Stop", "Floor"]),
    st.lists(st.integers(0, 4), min_size=1, max_size=2).map(tuple),
    st.sampled_from(["", "", "", "", "open", "pause", "resume", "pause"]),
)


class Drawn:
    """A journal of drawn operations, and beside it what each edge loses, known from the drawing alone."""

    def __init__(self, made: list[Made]) -> None:
        self.journal = Journal()
        self.edges: dict[int, list[tuple[int, frozenset[object]]]] = {}
        tensors, state, pause = list(range(1, SOURCES + 1)), "before", 0
        for operation in made:
            if operation.before == "open" and state == "before":
                self._open()
                state = "on"
            elif operation.before == "pause" and state == "on":
                pause = self.journal.position
                self.journal.add(j.RECORDER_REMOVE, "stop_recording", -1, (1,))
                state = "paused"
            elif operation.before == "resume" and state == "paused":
                self.journal.add(j.RECORDER_ADD, "stop_recording", -1, (1,))
                state = "on"
            output = 10 + len(tensors)
            row = self.journal.position
            lost: set[object] = {"before"} if state == "before" else {("paused", pause)} if state == "paused" else set()
            if operation.name in BREAKS:
                lost.add((row, operation.name))
            # Mostly the newest tensors, so that there are long ways.
            given = [tensors[-1 - at % len(tensors)] for at in operation.inputs]
            given = given if operation.name == "Add" else given[:1]
            self.journal.add(j.OP, operation.name, -1, tuple(given), (output << 8 | FLOAT,))
            self.edges[output] = [(each, frozenset(lost)) for each in given]
            tensors.append(output)
        if state == "before":
            self._open()
        elif state == "paused":
            self.journal.add(j.RECORDER_ADD, "stop_recording", -1, (1,))
        self.target = tensors[-1]

    def _open(self) -> None:
        self.journal.add(j.RECORDER_NEW, "__enter__", -1, (1, 0, 1))
        for source in range(1, SOURCES + 1):
            self.journal.add(j.WATCH, "", -1, (1, source))

    def losses(self, tensor: int, source: int) -> set[frozenset[object]]:
        """What is lost on each way from a source to a tensor."""
        if tensor == source:
            return {frozenset()}
        return {lost | further for given, lost in self.edges.get(tensor, ()) for further in self.losses(given, source)}

    def fewest(self, source: int) -> int | None:
        """The size of the smallest set of repairs that makes one way whole; None where there is no way."""
        ways = self.losses(self.target, source)
        every = frozenset().union(*ways)
        for size in range(len(every) + 1):
            for repaired in combinations(every, size):
                if any(lost <= set(repaired) for lost in ways):
                    return size
        return None

    def lineage(self) -> Lineage:
        """The index over the journal."""
        return lineage_of(self.journal)

    def question(self) -> GradientQuestion:
        """The target with respect to all sources."""
        sources = tuple(Source(tensor=each, position=each - 1) for each in range(1, SOURCES + 1))
        return GradientQuestion(
            event=self.journal.position,
            recorder=1,
            targets=(self.target,),
            sources=sources,
            asked=SOURCES,
            location=None,
        )


@settings(max_examples=300, derandomize=True, deadline=None, database=None)
@given(st.lists(drawn, min_size=1, max_size=9))
def test_the_ways_of_all_sources_have_the_fewest_breaks(made: list[Made]) -> None:
    drawing = Drawn(made)
    found = ways(drawing.lineage(), drawing.question(), range(1, SOURCES + 1))
    for source, steps in found.items():
        fewest = drawing.fewest(source)
        if fewest is None:
            assert steps is None
        else:
            assert steps is not None
            assert len(repairs(steps)) == fewest


@settings(max_examples=300, derandomize=True, deadline=None, database=None)
@given(st.lists(drawn, min_size=1, max_size=9))
def test_the_reported_breaks_are_those_of_one_way_in_order(made: list[Made]) -> None:
    drawing = Drawn(made)
    lineage, question = drawing.lineage(), drawing.question()
    found = ways(lineage, question, range(1, SOURCES + 1))
    explainer = Explainer(lineage, question, Dataflow(Sources()))
    for source in question.sources:
        steps = found[source.tensor]
        kinds = [lost.kind for step in steps or () for lost in step.lost]
        if steps is None or {"stop-gradient", "not-recorded"} <= set(kinds):
            continue  # no way, or one that takes part on purpose without a gradient
        breaks = explainer.breaks(source)
        if not kinds:
            assert [one.kind for one in breaks] == ["unexplained"]
            assert not breaks[0].exact
            continue
        assert len(breaks) == drawing.fewest(source.tensor)
        rows = [step.edge.event.index for step in steps]
        assert rows == sorted(rows)
        by_step = [one.kind for one in breaks if one.kind != "not-recorded"]
        assert by_step == [kind for kind in kinds if kind != "not-recorded"]


@settings(max_examples=200, derandomize=True, deadline=None, database=None)
@given(st.lists(drawn, min_size=1, max_size=9))
def test_two_repairs_are_needed_together_only_where_none_alone_suffices(made: list[Made]) -> None:
    drawing = Drawn(made)
    found = ways(drawing.lineage(), drawing.question(), range(1, SOURCES + 1))
    for source, steps in found.items():
        needed = repairs(steps or [])
        lost = drawing.losses(drawing.target, source)
        whole = {
            frozenset(_drawn(each) for each in part) for n in range(len(needed)) for part in combinations(needed, n)
        }
        assert not [part for part in whole if any(each <= part for each in lost)]


def test_two_stops_are_fewer_than_three_other_breaks() -> None:
    chain = [Made("Add", (0,), "open"), Made("Stop", (0,), ""), Made("Stop", (0,), "")]
    other = [Made("Floor", (2,), ""), Made("Floor", (0,), ""), Made("Floor", (0,), ""), Made("Add", (0, 3), "")]
    drawing = Drawn([*chain, *other])
    found = ways(drawing.lineage(), drawing.question(), range(1, SOURCES + 1))
    assert drawing.fewest(2) == 2
    assert [lost.kind for step in found[2] or () for lost in step.lost] == ["stop-gradient"] * 2


def _drawn(repair: tuple[int, str]) -> object:
    """A repair as the drawing names it."""
    row, kind = repair
    names = {kind: name for name, kind in BREAKS.items()}
    return (row, names[kind]) if kind in names else kind if kind == "before" else (kind, row)
