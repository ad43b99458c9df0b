"""What one group of facts says about another."""

from __future__ import annotations

from typing import Any

from tensorwhy.diagnosis.linking import linked
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.gradient import BREAKS, NotWatched, Unused
from tensorwhy.model.facts.graph import FrozenKind, FrozenValue
from tensorwhy.model.facts.loops import SignatureMismatch
from tensorwhy.model.facts.training import UpdatedTensor
from tensorwhy.model.failure import Failure
from tensorwhy.model.location import Location
from tensorwhy.model.question import GradientQuestion, Source
from tensorwhy.model.report import Symptom
from tensorwhy.source.files import Sources


def untaken(line: int) -> CaseGroup:
    """A question whose source is used only in a branch of the condition on this line."""
    question = GradientQuestion(recorder=0, event=1, asked=1, location=None, sources=(), targets=())
    branch = Location(file="a.py", line=line, end_line=line)
    fact = Unused(kind="untaken-branch", question=question, sources=(), untaken=branch)
    return CaseGroup(symptom=Symptom(kind="none-gradient"), facts=(fact,), asked=True)


def frozen(line: int, test: bool = True) -> CaseGroup:
    """A value that was read on this line while a function was traced."""
    read = Location(file="a.py", line=line)
    kind: FrozenKind = "test" if test else "number"
    fact = FrozenValue(kind=kind, name="late", read=read, function="step", frozen="False", now="True", stale_calls=2)
    return CaseGroup(symptom=Symptom(kind="silent"), facts=(fact,))


def test_the_value_that_decided_an_untaken_branch_becomes_part_of_its_finding() -> None:
    (group,) = linked([untaken(5), frozen(5)], Sources())
    (fact,) = group.facts
    assert isinstance(fact, Unused) and fact.frozen is not None and fact.frozen.name == "late"


def test_one_value_can_have_decided_for_several_questions() -> None:
    groups = list(linked([untaken(5), untaken(5), frozen(5)], Sources()))
    assert [type(fact) for group in groups for fact in group.facts] == [Unused, Unused]


def test_a_value_that_was_read_elsewhere_or_decided_nothing_stays_a_finding_of_its_own() -> None:
    groups = list(linked([untaken(5), frozen(9), frozen(5, test=False)], Sources()))
    assert [type(fact) for group in groups for fact in group.facts] == [Unused, FrozenValue, FrozenValue]
    assert groups[0].facts[0].frozen is None  # type: ignore[attr-defined]


def test_a_group_without_facts_stays_for_the_reasons_that_are_tried_last() -> None:
    empty = CaseGroup(symptom=Symptom(kind="none-gradient"), facts=(), asked=True)
    assert [group.asked for group in linked([empty, frozen(5)], Sources())] == [True, False]


def none_at(line: int, function: str = "second") -> CaseGroup:
    """A question of a mapped function that is None; what a graph kept of a line has the bare name of the function."""
    asked = Location(file="a.py", line=line, function=function)
    question = GradientQuestion(recorder=0, event=1, asked=1, location=asked, sources=(), targets=())
    fact = Unused(kind="unused", question=question, sources=())
    return CaseGroup(symptom=Symptom(kind="none-gradient", location=asked), facts=(fact,), asked=True)


def mapped(line: int) -> CaseGroup:
    """A mapped function that gave None on this line, and so the failure of the call that maps."""
    gave = Location(file="a.py", line=line, function="hessian.<locals>.second")
    fact = SignatureMismatch(
        construct="map_fn", call=Location(file="a.py", line=9), problem="no-value", function="second", produced=gave
    )
    failure = Failure(exception="builtins.ValueError", message="None values not supported.")
    return CaseGroup(symptom=Symptom(kind="exception"), facts=(fact,), failure=failure)


def test_a_none_that_a_mapped_function_returned_explains_its_failure() -> None:
    failed, asked = linked([mapped(6), none_at(6)], Sources())
    assert failed.facts == ()
    assert asked.failure is not None and asked.symptom.kind == "exception"


def test_a_mapped_function_that_returns_nothing_of_a_none_stays_a_finding_of_its_own() -> None:
    for other in (none_at(7), none_at(6, function="first")):
        failed, asked = linked([mapped(6), other], Sources())
        assert len(failed.facts) == 1 and asked.failure is None


def lost(*breaks: tuple[str, int]) -> CaseGroup:
    """A question, always of one line and one source, that was lost by breaks of these kinds on these lines."""
    question = GradientQuestion(recorder=0, event=1, place=7, asked=1, location=None, sources=(), targets=())
    facts = tuple(
        BREAKS[kind](
            kind=kind,
            question=question,
            sources=(),
            location=Location(file="a.py", line=line),
            **({"region": "before"} if kind == "not-recorded" else {}),
        )
        for kind, line in breaks
    )
    return CaseGroup(symptom=Symptom(kind="none-gradient"), facts=facts, asked=True)


FIRST = (("not-recorded", 3), ("state", 4))
LATER = (*FIRST, ("not-recorded", 12), ("state", 13))


def test_what_an_earlier_step_handed_on_is_not_told_beside_what_the_first_step_lost() -> None:
    assert [len(group.facts) for group in linked([lost(*FIRST), lost(*LATER)], Sources())] == [2, 2]


def test_what_a_later_step_loses_by_itself_is_told() -> None:
    later = (*FIRST, ("stop-gradient", 12))
    assert [len(group.facts) for group in linked([lost(*FIRST), lost(*later)], Sources())] == [2, 3]


def test_a_question_that_each_step_loses_so_keeps_all_of_it() -> None:
    assert [len(group.facts) for group in linked([lost(*LATER), lost(*LATER)], Sources())] == [4, 4]


def unwatched(variable: bool = False) -> CaseGroup:
    """A question whose source no tape watched: a plain tensor, or a variable."""
    asked = Location(file="a.py", line=4, function="train")
    question = GradientQuestion(recorder=0, event=1, asked=1, location=asked, sources=(), targets=())
    source = Source(tensor=1, dtype="float32", variable=variable)
    fact = NotWatched(kind="not-watched", question=question, sources=(source,))
    return CaseGroup(symptom=Symptom(kind="none-gradient", location=asked), facts=(fact,), asked=True)


def refused_update(**told: Any) -> CaseGroup:
    """An optimizer that broke off at a plain tensor, on a later line of the same function."""
    used = Location(file="a.py", line=5, function="train")
    failure = Failure(exception="builtins.AttributeError", message="no attribute '_unique_id'", frames=(used,))
    return CaseGroup(symptom=Symptom(kind="exception"), facts=(UpdatedTensor(used=used, **told),), failure=failure)


def test_an_optimizer_that_refuses_a_plain_tensor_broke_off_at_what_lost_its_gradient() -> None:
    failed, asked = linked([refused_update(), unwatched()], Sources())
    assert failed.facts == () and asked.failure is not None
    (fact,) = asked.facts
    assert isinstance(fact, NotWatched) and fact.updated


def test_an_optimizer_that_refuses_the_value_of_a_variable_tells_what_to_give_it() -> None:
    there = Location(file="a.py", line=9)
    failed, asked = linked([refused_update(handed=there, owner="image"), unwatched()], Sources())
    assert len(failed.facts) == 1 and asked.failure is None


def test_an_optimizer_that_refuses_a_plain_tensor_was_not_kept_from_it_by_an_unwatched_variable() -> None:
    failed, asked = linked([refused_update(), unwatched(variable=True)], Sources())
    assert len(failed.facts) == 1 and asked.failure is None
