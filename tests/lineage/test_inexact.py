"""What is said inside of a class that docs/limitations.md lists is likely, and never proved."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping

import pytest

from support.lineages import FLOAT, lineage_of
from tensorwhy.lineage.gradient import Explainer
from tensorwhy.lineage.inexact import classes
from tensorwhy.lineage.search import search
from tensorwhy.model.question import Function, GradientQuestion, Source
from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Journal
from tensorwhy.source.dataflow import Dataflow
from tensorwhy.source.files import Sources

SOURCE, BETWEEN, TARGET = 3, 4, 5


def _add(journal: Journal, name: str, given: int, made: int, kind: int = j.OP, place: int = -1) -> None:
    journal.add(kind, name, place, (given,), (made << 8 | FLOAT,))


def _opened() -> Journal:
    journal = Journal()
    journal.add(j.RECORDER_NEW, "tape", -1, (1, 0, 1))
    journal.add(j.WATCH, "tape", -1, (1, SOURCE))
    return journal


def _found(
    journal: Journal,
    functions: Iterable[Function] = (),
    replicas: int = 1,
    none: Mapping[int, tuple[int, ...]] | None = None,
) -> tuple[set[str], list[tuple[str, bool]]]:
    """The classes of the question, and of each break its kind and whether it is proved."""
    lineage = lineage_of(journal, functions, none)
    question = GradientQuestion(
        event=journal.position,
        recorder=1,
        targets=(TARGET,),
        sources=(Source(tensor=SOURCE),),
        asked=1,
        location=None,
        replicas=replicas,
    )
    steps = search(lineage, 1, (TARGET,), journal.position).path(SOURCE) or []
    breaks = Explainer(lineage, question, Dataflow(Sources())).breaks(question.sources[0])
    return set(classes(lineage, question, steps)), [(each.kind, each.exact) for each in breaks]


def test_what_the_rules_decide_is_proved() -> None:
    journal = _opened()
    _add(journal, "Add", SOURCE, BETWEEN)
    _add(journal, "Stop", BETWEEN, TARGET)
    assert _found(journal) == (set(), [("stop-gradient", True)])


def test_an_operation_of_which_nothing_is_known_makes_it_likely() -> None:
    journal = _opened()
    _add(journal, "Unknown", SOURCE, BETWEEN)
    _add(journal, "Stop", BETWEEN, TARGET)
    assert _found(journal) == ({"unknown-operations"}, [("stop-gradient", False)])


def test_an_operation_on_another_thread_makes_it_likely() -> None:
    journal = _opened()
    other = threading.Thread(target=_add, args=(journal, "Add", SOURCE, BETWEEN))
    other.start()
    other.join()
    _add(journal, "Stop", BETWEEN, TARGET)
    found, breaks = _found(journal)
    assert found == {"threads"}
    assert breaks
    assert not any(exact for _, exact in breaks)


def test_several_replicas_make_it_likely() -> None:
    journal = _opened()
    _add(journal, "Stop", SOURCE, TARGET)
    assert _found(journal, replicas=2) == ({"strategies"}, [("stop-gradient", False)])


@pytest.mark.parametrize("written", [True, False])
def test_a_function_without_lines_makes_it_likely(written: bool) -> None:
    journal = _opened()
    place = journal.place(1, ((_opened.__code__, 0, True),)) if written else -1
    _add(journal, "Stop", 20, 21, j.GRAPH_OP, place)
    called = journal.position
    _add(journal, "loaded", SOURCE, TARGET, j.RECORDED)
    function = Function(name="loaded", inputs=(20,), outputs=(21,))
    found = set() if written else {"loaded-functions"}
    assert _found(journal, [function], none={called: (0,)}) == (found, [("stop-gradient", written)])


@pytest.mark.parametrize(("rested", "kinds"), [(False, ["unused"]), (True, ["unexplained"])])
def test_a_constant_that_nobody_made_is_unseen_only_if_recording_may_have_rested(
    rested: bool, kinds: list[str]
) -> None:
    journal, constant, younger = _opened(), 7, 8
    _add(journal, "Add", 1, younger)
    gap = 0 if rested else journal.position
    _add(journal, "Add", constant, TARGET)
    question = GradientQuestion(
        event=journal.position, recorder=1, targets=(TARGET,), sources=(Source(tensor=SOURCE),), asked=1, location=None
    )
    breaks = Explainer(lineage_of(journal), question, Dataflow(Sources()), gap=gap).breaks(question.sources[0])
    assert [each.kind for each in breaks] == kinds


def test_what_was_made_while_nothing_was_recorded_is_told_where_the_target_uses_it() -> None:
    journal, unseen, sum_of_it = _opened(), 7, 8
    place = journal.place(1, ((_opened.__code__, 0, True),))
    _add(journal, "Add", unseen, sum_of_it, place=place)
    _add(journal, "Add", sum_of_it, TARGET)
    question = GradientQuestion(
        event=journal.position, recorder=1, targets=(TARGET,), sources=(Source(tensor=SOURCE),), asked=1, location=None
    )
    [found] = Explainer(lineage_of(journal), question, Dataflow(Sources()), gap=0).breaks(question.sources[0])
    assert found.gap is not None and found.gap.used == journal.location(place)
