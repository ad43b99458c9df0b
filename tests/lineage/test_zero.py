"""Where a gradient becomes zero, by what was seen of values."""

from __future__ import annotations

from support.lineages import FLOAT, lineage_of
from tensorwhy.lineage.zero import ZeroExplainer
from tensorwhy.model.question import Source, ValueSnapshot, ZeroQuestion
from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Journal

CARRIED, USED_INSIDE, MADE = 10, 11, (12, 13)


def _kinds(source: int, snapshot: ValueSnapshot) -> list[str]:
    """Why the gradient of the first output of a loop is zero for one of what the loop was given."""
    journal = Journal()
    outputs = tuple(each << 8 | FLOAT for each in MADE)
    journal.add(j.GRAPH_OP, "While|condition|body", -1, (CARRIED, USED_INSIDE), outputs)
    question = ZeroQuestion(
        event=journal.position, recorder=0, targets=MADE[:1], sources=(Source(tensor=source, variable=True),)
    )
    return [fact.kind for fact in ZeroExplainer(lineage_of(journal), question, snapshot).facts()]


def test_a_loop_that_did_not_run_gives_zeros_to_what_only_its_body_uses() -> None:
    assert _kinds(USED_INSIDE, ValueSnapshot(skipped={MADE[0]})) == ["skipped"]


def test_a_loop_that_did_not_run_hands_on_what_it_carries() -> None:
    assert _kinds(CARRIED, ValueSnapshot(skipped={MADE[0]})) == []


def test_a_loop_that_may_have_run_explains_nothing() -> None:
    assert _kinds(USED_INSIDE, ValueSnapshot()) == []


def _limited(*, zero: bool) -> list[str]:
    """Why a gradient is zero behind a maximum with a number of Python, whose result was seen to be zero or not."""
    variable, below, limited = 10, 11, 12
    journal = Journal()
    journal.add(j.OP, "Add", -1, (variable, variable), (below << 8 | FLOAT,))
    journal.add(j.OP, "Maximum", -1, (below, j.PYTHON), (limited << 8 | FLOAT,))
    question = ZeroQuestion(
        event=journal.position, recorder=0, targets=(limited,), sources=(Source(tensor=variable, variable=True),)
    )
    snapshot = ValueSnapshot(seen={below, limited}, zero={limited} if zero else set(), closed={limited: (0,)})
    return [fact.kind for fact in ZeroExplainer(lineage_of(journal), question, snapshot).facts()]


def test_a_maximum_that_gives_zeros_is_a_rectifier() -> None:
    assert _limited(zero=True) == ["dead"]


def test_a_maximum_that_gives_something_else_is_a_limit() -> None:
    assert _limited(zero=False) == ["flat"]


def _bounded(*, trained: bool) -> list[str]:
    """Why a learned limit has no gradient, when no element of what it limits, which may be trained, comes to it."""
    weight, limit, data, value, limited = 10, 11, 12, 13, 14
    journal = Journal()
    journal.add(j.OP, "Add", -1, (data, weight), (value << 8 | FLOAT,))
    journal.add(j.OP, "Maximum", -1, (value, limit), (limited << 8 | FLOAT,))
    question = ZeroQuestion(
        event=journal.position,
        recorder=0,
        targets=(limited,),
        sources=(Source(tensor=limit, variable=True),),
        moving=frozenset({weight}) if trained else frozenset(),
    )
    snapshot = ValueSnapshot(seen={value, limited}, closed={limited: (1,)}, scalar={limit})
    return [fact.kind for fact in ZeroExplainer(lineage_of(journal), question, snapshot).facts()]


def test_a_learned_limit_that_nothing_comes_to_is_as_it_should_be_while_what_it_limits_is_trained() -> None:
    assert (_bounded(trained=True), _bounded(trained=False)) == ([], ["flat"])
