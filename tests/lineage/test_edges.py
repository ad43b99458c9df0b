"""Which ways lead back from a tensor, where TensorFlow shows them only in part."""

from __future__ import annotations

import pytest

from support.lineages import FLOAT, lineage_of
from tensorwhy.lineage.search import search
from tensorwhy.model.question import Function
from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Journal

VARIABLE, CONSTANT, READ, OUTPUT = 3, 5, 7, 8


def _row(journal: Journal, name: str, inputs: tuple[int, ...], *outputs: int, kind: int = j.OP) -> int:
    """Adds a row; the position that it got."""
    at = journal.position
    journal.add(kind, name, -1, inputs, tuple(output << 8 | FLOAT for output in outputs))
    return at


def test_a_value_that_an_operation_read_of_a_variable_itself_comes_from_that_variable() -> None:
    journal = Journal()
    _row(journal, "Add", (j.variable(VARIABLE), CONSTANT), OUTPUT)
    (edge,) = lineage_of(journal).edges(READ, journal.position)
    assert (edge.op, edge.source, edge.loss) == ("ReadVariableOp", VARIABLE, "")


@pytest.mark.parametrize(
    ("inputs", "unseen"),
    [
        ((j.variable(VARIABLE), -1), READ),  # a number was made a tensor in between
        ((j.variable(VARIABLE), CONSTANT), READ - 1),
        ((CONSTANT, CONSTANT), READ),
    ],
)
def test_a_tensor_that_may_be_anything_else_comes_from_no_variable(inputs: tuple[int, ...], unseen: int) -> None:
    journal = Journal()
    _row(journal, "Add", inputs, OUTPUT)
    assert list(lineage_of(journal).edges(unseen, journal.position)) == []


def test_a_tape_goes_back_through_what_an_operation_read_itself() -> None:
    journal = Journal()
    journal.add(j.RECORDER_NEW, "tape", -1, (1, 0, 1))
    journal.add(j.WATCH, "tape", -1, (1, VARIABLE))
    _row(journal, "Add", (j.variable(VARIABLE), CONSTANT), OUTPUT)
    _row(journal, "Add", (READ, OUTPUT), 9)
    replay = lineage_of(journal).timeline.replay(1, journal.position)
    assert replay.reads == {READ: VARIABLE}


ARGUMENT, RESULT = 11, 12


def test_an_argument_of_a_custom_gradient_in_a_graph_is_lost_at_its_own_row_alone() -> None:
    journal = Journal()
    _row(journal, "Add", (ARGUMENT, CONSTANT), RESULT, kind=j.GRAPH_OP)
    _row(journal, "IdentityN", (RESULT, ARGUMENT), 13, 14, kind=j.GRAPH_OP)
    by_hand = _row(journal, "scaled", (RESULT, ARGUMENT), 13, 14, kind=j.RECORDED)
    lineage = lineage_of(journal, custom_none={by_hand: (0, 1)}, padded={by_hand: 1})
    lost = [
        (edge.op, edge.role) for edge in lineage.edges(13, journal.position) if edge.source == ARGUMENT and edge.loss
    ]
    assert lost == [("scaled", "data")]


INPUTS, INNER = (20, 21), (22, 23)


def _function(journal: Journal, name: str, last: str) -> Function:
    """A function whose only output comes from its first input, through this operation."""
    start = 100 + journal.position * 10
    inputs, output = (start, start + 1), start + 2
    _row(journal, last, inputs[:1], output, kind=j.GRAPH_OP)
    return Function(name=name, inputs=inputs, outputs=(output,))


def _lost(journal: Journal, functions: list[Function], source: int) -> list[str] | None:
    steps = search(lineage_of(journal, functions), 0, (30,), journal.position).path(source)
    return None if steps is None else [lost.kind for step in steps for lost in step.lost]


def test_a_call_that_no_tape_recorded_is_looked_into() -> None:
    journal = Journal()
    stopping = _function(journal, "stopping", "Stop")
    _row(journal, "stopping", INPUTS, 30)
    assert _lost(journal, [stopping], INPUTS[0]) == ["stop-gradient"]


def test_an_input_that_a_called_function_does_not_use_leads_nowhere() -> None:
    journal = Journal()
    passing = _function(journal, "passing", "Add")
    _row(journal, "passing", INPUTS, 30)
    assert _lost(journal, [passing], INPUTS[0]) == []
    assert _lost(journal, [passing], INPUTS[1]) is None


def test_branches_that_all_stop_a_gradient_are_looked_into() -> None:
    journal = Journal()
    stopping, flat = _function(journal, "stopping", "Stop"), _function(journal, "flat", "Floor")
    _row(journal, "If|stopping|flat", (CONSTANT, *INPUTS), 30, kind=j.GRAPH_OP)
    assert _lost(journal, [stopping, flat], INPUTS[0]) == ["stop-gradient"]


def test_branches_of_which_one_passes_lose_nothing() -> None:
    journal = Journal()
    stopping, passing = _function(journal, "stopping", "Stop"), _function(journal, "passing", "Add")
    _row(journal, "If|stopping|passing", (CONSTANT, *INPUTS), 30, kind=j.GRAPH_OP)
    assert _lost(journal, [stopping, passing], INPUTS[0]) == []
