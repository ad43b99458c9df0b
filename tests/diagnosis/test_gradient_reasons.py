"""What the rules of the gradient family say of facts that no small program shows well."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tensorwhy.diagnosis.engine import diagnose
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.gradient import BREAKS, Gap, GradientBreak, NotPassed
from tensorwhy.model.location import Location
from tensorwhy.model.question import GradientQuestion, Source
from tensorwhy.model.report import PathStep, Symptom
from tensorwhy.reasons import catalogue
from tensorwhy.source.files import Sources

PROGRAM = """\
w = make()
with open_tape() as tape:
    loss = compute(w)
grads = tape.gradient(loss, [w, v])
"""


@pytest.fixture
def program(tmp_path: Path) -> str:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM, encoding="utf-8")
    return str(path)


def asked(file: str, name: str, position: int, **fields: object) -> CaseGroup:
    """The question on line 4 about one source, with one break."""
    place = Location(file=file, line=4, column=8, end_line=4, end_column=36)
    source = Source(tensor=position, variable=True, trainable=True, name=name, dtype="float32", position=position)
    question = GradientQuestion(
        event=9, recorder=1, recorder_noun="tape", targets=(5,), sources=(source,), asked=2, location=place
    )
    fact = BREAKS[fields.get("kind", "unexplained")](
        **{"question": question, "sources": (source,), "kind": "unexplained", **fields}
    )  # type: ignore[arg-type]
    return CaseGroup(symptom=Symptom(kind="none-gradient", location=place), facts=(fact,), asked=True)


def test_a_none_that_no_rule_knows_is_called_unexplained_where_it_was_asked_for(program: str) -> None:
    path = (PathStep(op="Mul"), PathStep(op="Mystery"))
    [found] = diagnose([asked(program, "w:0", 0, path=path, exact=False)], catalogue(), Sources()).diagnoses
    assert (found.code, found.primary.line if found.primary else None) == ("TW901", 4)
    assert found.message == "the gradient of `loss` with respect to `w` is None, and no known reason explains it"
    assert found.notes == ("the value passed through Mul -> Mystery",)


@pytest.mark.parametrize(
    ("rested", "words"), [(True, "while recording was paused"), (False, "while nothing was recorded")]
)
def test_a_none_that_hangs_on_what_nobody_saw_made_says_so_where_that_is_used(
    program: str, rested: bool, words: str
) -> None:
    used = Location(file=program, line=3)
    group = asked(program, "w:0", 0, gap=Gap(used=used, rested=rested), exact=False)
    [found] = diagnose([group], catalogue(), Sources()).diagnoses
    assert (found.code, found.primary.line if found.primary else None) == ("TW901", 3)
    assert found.message.endswith(f"another tensor that is used here was created before this tape was opened, {words}")


def test_an_explained_none_is_not_called_unexplained(program: str) -> None:
    fields = {"kind": "stop-gradient", "location": Location(file=program, line=3)}
    found = diagnose([asked(program, "w:0", 0, **fields)], catalogue(), Sources()).diagnoses
    assert [each.code for each in found] == ["TW104"]


def test_variables_that_share_a_break_are_counted_in_the_message(program: str) -> None:
    fields = {"kind": "stop-gradient", "location": Location(file=program, line=3)}
    groups = [asked(program, "w:0", 0, **fields), asked(program, "v:0", 1, **fields)]
    [found] = diagnose(groups, catalogue(), Sources()).diagnoses
    assert found.message.startswith("the gradient of `loss` with respect to `w` and 1 more variable is None")
    assert [each.name for each in found.also] == ["v"]


def test_a_gradient_that_raised_cannot_be_computed(program: str) -> None:
    group = asked(program, "w:0", 0, kind="unregistered", op="Mystery", location=Location(file=program, line=3))
    fact = group.facts[0]
    assert isinstance(fact, GradientBreak)
    raised = GradientQuestion(
        event=9, recorder=1, targets=(5,), sources=fact.sources, asked=1, error="LookupError", location=fact.location
    )
    fact = NotPassed(kind="unregistered", op="Mystery", question=raised, sources=fact.sources)
    [found] = diagnose([CaseGroup(symptom=group.symptom, facts=(fact,))], catalogue(), Sources()).diagnoses
    assert "cannot be computed" in found.message and found.severity == "error"


@pytest.mark.parametrize(("count", "severity"), [(2, "note"), (1, "error")])
def test_a_constant_first_gradient_is_a_note_beside_sources_that_it_depends_on(
    program: str, count: int, severity: str
) -> None:
    group = asked(program, "w:0", 0, kind="unused", within_gradient=True, gradient_of=Location(file=program, line=3))
    fact = group.facts[0]
    assert isinstance(fact, GradientBreak)
    question = msgspec.structs.replace(fact.question, asked=count, warned=True)
    fact = msgspec.structs.replace(fact, question=question)
    [found] = diagnose([msgspec.structs.replace(group, facts=(fact,))], catalogue(), Sources()).diagnoses
    assert (found.code, found.severity) == ("TW107", severity)


@pytest.mark.parametrize(
    ("function", "closed", "code"), [("L.build", 0, "TW102"), ("L.build", 2, "TW103"), ("f", 0, "TW103")]
)
def test_what_tensorflow_itself_does_not_record_in_build_came_too_early(
    program: str, function: str, closed: int, code: str
) -> None:
    place = Location(file=program, line=1, function=function)
    stopped = Location(file=program, line=closed) if closed else None
    group = asked(program, "w:0", 0, kind="not-recorded", region="paused", location=place, recorder_closed=stopped)
    [found] = diagnose([group], catalogue(), Sources()).diagnoses
    assert found.code == code
    assert ("runs once" in found.fixes[0].summary) is (code == "TW102")
