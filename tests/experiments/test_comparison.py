"""A repair is confirmed only when the symptom is gone and nothing else came."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tensorwhy.experiments.comparison import goals, judged, moved, places, training
from tensorwhy.experiments.repair import groups
from tensorwhy.experiments.rerun import Goals, Ran
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Coverage, Diagnosis, Environment, Program, Report, Symptom, TensorRef


def at(line: int) -> Location:
    return Location(file="/p/train.py", line=line)


def lost(code: str = "TW101", line: int = 4, source: str = "x", **fields: Any) -> Diagnosis:
    base = Diagnosis(
        id="d1",
        code=code,
        slug="some-slug",
        family="gradient",
        severity="warning",
        certainty="proved",
        message=f"the gradient with respect to `{source}` is None",
        primary=Marked.at(at(2), "here"),
        symptom=Symptom(kind="none-gradient", location=at(line)),
        source=TensorRef(name=source),
    )
    return msgspec.structs.replace(base, **fields)


def ran(*diagnoses: Diagnosis, exit_code: int = 0, errors: str = "", steps: int = 1) -> Ran:
    report = Report(
        tool_version="0",
        program=Program(path="/p/train.py"),
        environment=Environment(python="3"),
        diagnoses=diagnoses,
        coverage=Coverage(steps_recorded=steps),
    )
    return Ran(exit_code=exit_code, report=report, stopped=False, seconds=1.0, errors=errors)


OLD, NEW = "a\nb\nc\ngradient\n", "a\nb\nadded\nc\ngradient\n"
WHERE = places({"/p/train.py": OLD}, {"/p/train.py": NEW})


def status(before: Ran, after: Ran) -> str:
    return judged(before, after, before.report.diagnoses[:1] if before.report else (), WHERE).status


def test_a_symptom_that_is_gone_confirms_the_repair() -> None:
    assert status(ran(lost()), ran()) == "confirmed"


def test_a_symptom_that_stays_refutes_it_whatever_its_reason_is_now() -> None:
    assert status(ran(lost()), ran(lost(code="TW102", line=5))) == "refuted"


def test_another_source_that_was_lost_before_does_not_count() -> None:
    other = lost(source="y")
    assert status(ran(lost(), other), ran(msgspec.structs.replace(other, symptom=lost(line=5).symptom))) == "confirmed"


def test_something_new_refutes_it() -> None:
    assert status(ran(lost()), ran(lost(source="z", line=5))) == "refuted"


def test_a_note_is_nothing_new() -> None:
    assert status(ran(lost()), ran(lost(source="z", line=5, severity="note"))) == "confirmed"


def test_a_program_that_fails_after_the_repair_refutes_it() -> None:
    assert status(ran(lost()), ran(exit_code=1, errors="NameError: tape\n")) == "refuted"


def test_a_program_that_fails_elsewhere_leaves_it_open() -> None:
    failed = lost(symptom=Symptom(kind="exception", location=at(4)))
    before = ran(failed, exit_code=1, errors="TypeError: a\n")
    assert status(before, ran(exit_code=1, errors="AssertionError\n")) == "unverified"
    assert status(before, ran(exit_code=1, errors="TypeError: a\n")) == "refuted"


def test_a_run_in_which_nobody_asked_says_nothing() -> None:
    assert status(ran(lost()), ran(steps=0)) == "unverified"


def test_a_run_without_a_report_says_nothing() -> None:
    assert status(ran(lost()), msgspec.structs.replace(ran(), report=None)) == "unverified"


def test_joined_diagnoses_are_repaired_together() -> None:
    one, two = lost(together_with=("d3",)), lost(id="d2", source="y")
    three = lost(id="d3", code="TW102", together_with=("d1",))
    assert [[each.id for each in group] for group in groups((one, two, three))] == [["d1", "d3"], ["d2"]]


def test_a_run_that_answered_its_question_counts_although_it_was_interrupted() -> None:
    after = msgspec.structs.replace(ran(exit_code=130), answered=True)
    assert status(ran(lost()), after) == "confirmed"


def test_the_first_value_of_the_target_is_compared_with_the_one_before() -> None:
    before = msgspec.structs.replace(ran(lost()), values={("/p/train.py", 4): 2.0})
    for value, words in ((2.0, "starts at the same value"), (3.0, "starts at another value")):
        after = msgspec.structs.replace(ran(), values={("/p/train.py", 5): value})
        assert before.report is not None
        assert words in judged(before, after, before.report.diagnoses, WHERE).evidence


PLACE = ("/p/train.py", 4)
SILENT = lost(family="variable", symptom=Symptom(kind="silent", location=at(4)))


def test_a_run_ends_when_the_gradient_was_asked_for_as_often_as_it_took_to_lose_it() -> None:
    before = msgspec.structs.replace(ran(lost()), lost={PLACE: 7}, zero={PLACE: 5})
    assert goals(before, (lost(),)) == Goals(until={PLACE: 7})
    assert goals(before, (lost(family="zero-gradient"),)) == Goals(until={PLACE: 5})
    assert goals(before, (lost(), SILENT)) == Goals()


def test_a_run_ends_past_the_statement_that_failed() -> None:
    failed = lost(family="graph", symptom=Symptom(kind="exception", location=at(4)))
    before = msgspec.structs.replace(ran(failed, exit_code=1), begun={PLACE: 3})
    assert goals(before, (failed,)) == Goals(begin={PLACE: 3})
    assert goals(before, (failed, SILENT)) == Goals()


def test_what_is_lost_in_silence_is_looked_for_in_a_few_of_many_steps() -> None:
    for steps, wanted in ((16, {}), (500, {PLACE: 16})):
        assert training(msgspec.structs.replace(ran(SILENT), steps={PLACE: steps}), (SILENT,)) == Goals(train=wanted)


def test_goals_move_with_their_lines_and_are_given_up_with_a_line_that_is_gone() -> None:
    there = moved({"/p/train.py": OLD}, {"/p/train.py": NEW})
    assert Goals(begin={PLACE: 3}).moved(there) == Goals(begin={("/p/train.py", 5): 3})
    gone = moved({"/p/train.py": OLD}, {"/p/train.py": OLD.replace("gradient\n", "")})
    assert Goals(begin={PLACE: 3}).moved(gone) == Goals()


def test_a_failure_that_was_not_reached_again_in_time_says_nothing() -> None:
    failed = lost(family="graph", symptom=Symptom(kind="exception", location=at(4)))
    before = msgspec.structs.replace(ran(failed, exit_code=1), begun={PLACE: 3})
    for count, wanted in ((2, "unverified"), (3, "confirmed")):
        after = msgspec.structs.replace(ran(), stopped=True, begun={("/p/train.py", 5): count})
        assert status(before, after) == wanted


def test_where_the_program_fails_for_a_none_the_question_is_where_it_was_asked() -> None:
    failed = lost(symptom=Symptom(kind="exception", location=at(9)), related=(Marked.at(at(4), "None", "asked"),))
    before = msgspec.structs.replace(
        ran(failed, exit_code=1), lost={("/p/train.py", 4): 1}, values={("/p/train.py", 4): 2.0}
    )
    assert goals(before, (failed,)) == Goals(until={PLACE: 1})
    after = msgspec.structs.replace(ran(), values={("/p/train.py", 5): 2.0})
    assert "starts at the same value" in judged(before, after, (failed,), WHERE).evidence


def test_a_question_that_was_not_reached_in_time_says_nothing() -> None:
    before = msgspec.structs.replace(ran(lost()), lost={("/p/train.py", 4): 7})
    for count, wanted in ((3, "unverified"), (7, "confirmed")):
        after = msgspec.structs.replace(ran(), stopped=True, answers={("/p/train.py", 5): count})
        assert status(before, after) == wanted


KERAS = """\
Traceback (most recent call last):
  File "main.py", line 1, in <module>
TypeError: Exception encountered when calling A.call().

\x1b[1mno rank\x1b[0m

Arguments received by A.call():
  • x=None
tensorwhy: 1 error
"""


@pytest.mark.parametrize(
    ("errors", "told"),
    [
        (KERAS, "TypeError: no rank"),
        ("Traceback (most recent call last):\n  File\nValueError: a\nb\n", "ValueError: a"),
        ("Traceback (most recent call last):\nKeyError: 1\n\nTraceback (most recent call last):\nm.E: 2\n", "m.E: 2"),
        ("no module\n", "no module"),
    ],
)
def test_a_failed_run_complains_in_the_words_of_its_last_exception(errors: str, told: str) -> None:
    assert ran(exit_code=1, errors=errors).complaint == told
