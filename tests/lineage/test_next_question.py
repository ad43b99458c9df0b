"""What is answered does not depend on what was asked before about the same lineage."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from support.lineages import FLOAT, lineage_of
from tensorwhy.lineage.backward import Backward
from tensorwhy.lineage.graph import Lineage
from tensorwhy.lineage.prediction import Prediction
from tensorwhy.lineage.search import repairs, search
from tensorwhy.lineage.steps import Step
from tensorwhy.model.question import GradientQuestion, Source
from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Journal

SOURCES = 2
FIRST = 10


class Row(NamedTuple):
    """An operation as it is drawn: its name, which earlier tensors it takes, and which one it makes anew, if any."""

    name: str
    inputs: tuple[int, ...]
    again: int


class Asked(NamedTuple):
    """A question: how far back the target is, which source, and how many of the rows were there when it was asked."""

    target: int
    source: int
    rows: int
    repaired: bool


rows = st.builds(
    Row,
    st.sampled_from(["Add", "Add", "Add", "Stop", "Floor", "recorded"]),
    st.lists(st.integers(0, 4), min_size=1, max_size=2).map(tuple),
    st.integers(0, 3),
)
questions = st.builds(Asked, st.integers(0, 5), st.integers(1, SOURCES), st.integers(1, 12), st.booleans())


class Drawn:
    """A journal of drawn operations under one tape, which opens after the first `late` of them."""

    def __init__(self, made: list[Row], late: int) -> None:
        self.journal = Journal()
        self.tensors = list(range(1, SOURCES + 1))
        self.ends: list[int] = []
        for number, row in enumerate(made):
            if number == late:
                self._open()
            inputs = tuple(self.tensors[-1 - at % len(self.tensors)] for at in row.inputs)
            if row.name == "recorded":
                self.journal.add(j.RECORDED, "by hand", -1, inputs, (self._earlier(row.again) << 8 | FLOAT,))
            else:
                self.tensors.append(FIRST + len(self.tensors))
                given = inputs if row.name == "Add" else inputs[:1]
                self.journal.add(j.OP, row.name, -1, given, (self.tensors[-1] << 8 | FLOAT,))
            self.ends.append(self.journal.position)
        if late >= len(made):
            self._open()

    def _earlier(self, back: int) -> int:
        return self.tensors[-1 - back % len(self.tensors)]

    def _open(self) -> None:
        self.journal.add(j.RECORDER_NEW, "__enter__", -1, (1, 0, 1))
        for source in range(1, SOURCES + 1):
            self.journal.add(j.WATCH, "", -1, (1, source))

    def lineage(self) -> Lineage:
        """The index over the journal."""
        return lineage_of(self.journal)

    def answer(self, lineage: Lineage, asked: Asked) -> tuple[object, ...]:
        """What the way of a question costs and how long it is, and which tensors get a gradient."""
        before = self.ends[min(asked.rows, len(self.ends)) - 1]
        targets = (self._earlier(asked.target),)
        steps = search(lineage, 1, targets, before).path(asked.source)
        if asked.repaired and steps:
            steps = search(lineage, 1, targets, before, repairs(steps)).path(asked.source)
        question = GradientQuestion(
            event=before, recorder=1, targets=targets, sources=(Source(tensor=asked.source),), asked=1, location=None
        )
        prediction = Prediction(lineage, question)
        reached = tuple(prediction.reaches(tensor) for tensor in self.tensors)
        return (
            None if steps is None else _cost(steps),
            _joined(steps or [], asked, targets),
            reached,
            prediction.replay[:3],
        )


def _cost(steps: list[Step]) -> tuple[int, int, int]:
    needed = repairs(steps)
    return len(needed), sum(kind == "stop-gradient" for _, kind in needed), len(steps)


def _joined(steps: list[Step], asked: Asked, targets: tuple[int, ...]) -> bool:
    """Whether the steps lead from the source to the target without a gap."""
    made = [asked.source, *(step.made for step in steps)]
    return not steps or (made[:-1] == [step.source for step in steps] and made[-1] in targets)


@settings(max_examples=300, derandomize=True, deadline=None, database=None)
@given(st.lists(rows, min_size=1, max_size=12), st.integers(0, 12), st.lists(questions, min_size=2, max_size=6))
def test_questions_are_answered_as_if_each_were_the_first(made: list[Row], late: int, asked: list[Asked]) -> None:
    drawing = Drawn(made, late)
    lineage = drawing.lineage()
    for each in asked:
        assert drawing.answer(lineage, each) == drawing.answer(drawing.lineage(), each)


def test_the_second_question_about_a_long_path_looks_at_what_is_new_only(monkeypatch) -> None:
    drawing = Drawn([Row("Add", (0, 0), 0)] * 200, 0)
    lineage = drawing.lineage()
    looked: list[object] = []
    find = Backward._find
    monkeypatch.setattr(Backward, "_find", lambda self, made, *rest: looked.append(made) or find(self, made, *rest))
    drawing.answer(lineage, Asked(20, SOURCES, 200, False))
    assert len(looked) > 150
    looked.clear()
    drawing.answer(lineage, Asked(100, SOURCES, 200, False))  # upstream of the first
    assert not looked
    drawing.answer(lineage, Asked(10, SOURCES, 200, False))  # downstream
    assert len(looked) == 10


def test_what_has_no_part_in_a_target_is_not_searched_for() -> None:
    drawing = Drawn([Row("Add", (0,), 0)] * 3000, 0)
    lineage, target, end = lineage_of(drawing.journal), drawing.tensors[-1], drawing.journal.position
    behind = lineage.ancestors((target,), end)
    found = search(lineage, 1, (target,), end)
    assert [found.path(source, lambda source=source: source in behind) is None for source in (99_999, 2)] == [
        True,
        False,
    ]
    apart = search(lineage_of(drawing.journal), 1, (target,), end)
    assert apart.path(99_999, lambda: False) is None and len(apart) < 1000


def _closure(lineage: Lineage, tensors: tuple[int, ...], before: int) -> set[int]:
    """All that `tensors` came from, edge by edge."""
    seen, stack = set[int](), list(tensors)
    while stack:
        tensor = stack.pop()
        if tensor not in seen:
            seen.add(tensor)
            stack += [edge.source for edge in lineage.edges(tensor, before) if edge.source >= 0]
    return seen


@settings(max_examples=200, derandomize=True, deadline=None, database=None)
@given(st.lists(rows, min_size=1, max_size=12), st.integers(0, 12), st.integers(0, 5), st.integers(1, 12))
def test_ancestors_are_what_the_edges_lead_to(made: list[Row], late: int, target: int, count: int) -> None:
    drawing = Drawn(made, late)
    before, asked = drawing.ends[min(count, len(drawing.ends)) - 1], (drawing._earlier(target),)
    assert drawing.lineage().ancestors(asked, before) == _closure(drawing.lineage(), asked, before)


def test_a_row_that_gives_as_many_as_it_takes_is_looked_at_once(monkeypatch) -> None:
    journal, many = Journal(), 300
    taken, given_ = range(10, 10 + many), range(1000, 1000 + many)
    for number in range(many):
        journal.add(j.OP, "Add", -1, (1, 2), (taken[number] << 8 | FLOAT,))
        journal.add(j.OP, "Add", -1, (taken[number],), (given_[number] << 8 | FLOAT,))
    journal.add(j.RECORDED, "grad_wrapper", -1, tuple(taken), tuple(each << 8 | FLOAT for each in given_))
    lineage, told = lineage_of(journal), []
    edges = Lineage._recorded_edges
    monkeypatch.setattr(Lineage, "_recorded_edges", lambda self, event: told.append(event) or edges(self, event))
    found = lineage.ancestors(tuple(given_), journal.position)
    assert len(told) == 1
    assert found == _closure(lineage, tuple(given_), journal.position) == {1, 2, *taken, *given_}
