"""From facts to diagnoses: what is kept, joined, merged, ranked, and what a failing rule costs."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tensorwhy.diagnosis.engine import diagnose
from tensorwhy.diagnosis.excerpts import excerpts
from tensorwhy.diagnosis.reason import Case, Evidence, Match, Propose, Reason, ReasonMeta
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts import Fact
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Edit, Family, Fix, Position, Severity, Symptom, TensorRef
from tensorwhy.source.files import Sources


class Lost(Fact, frozen=True, kw_only=True):
    """A stand-in for the facts of a family."""

    kind: str
    line: int = 1
    source: str = ""


def reason(
    code: str, match: Match, propose: Propose | None = None, severity: Severity = "error", family: Family = "gradient"
) -> Reason:
    meta = ReasonMeta(code=code, slug=code.lower(), family=family, summary="", severity=severity)
    return Reason(meta, match, propose, Path())


def when(kind: str, **evidence: object) -> Match:
    """A rule that matches facts of this kind, at their line."""

    def match(case: Case) -> Evidence | None:
        fact = case.fact
        if not isinstance(fact, Lost) or fact.kind != kind:
            return None
        values: dict[str, object] = {
            "message": f"{kind} {fact.source}".strip(),
            "primary": Marked(file="a.py", line=fact.line),
            "source": TensorRef(name=fact.source) if fact.source else None,
        }
        return Evidence(**(values | evidence))  # type: ignore[arg-type]

    return match


def group(*facts: Fact, asked: bool = False, line: int = 50) -> CaseGroup:
    symptom = Symptom(kind="none-gradient", location=Location(file="a.py", line=line))
    return CaseGroup(symptom=symptom, facts=facts, asked=asked)


def test_every_reason_is_tried_on_every_fact() -> None:
    reasons = [reason("TW1", when("a")), reason("TW2", when("b"))]
    found = diagnose([group(Lost(kind="b", line=2), Lost(kind="a", line=1), Lost(kind="c"))], reasons, Sources())
    assert sorted((d.code, d.primary.line) for d in found.diagnoses if d.primary) == [("TW1", 1), ("TW2", 2)]


def test_reasons_of_one_question_are_joined_and_those_of_another_are_not() -> None:
    reasons = [reason("TW1", when("a")), reason("TW2", when("b"))]
    found = diagnose(
        [group(Lost(kind="a", line=1), Lost(kind="b", line=2)), group(Lost(kind="a", line=3), line=60)],
        reasons,
        Sources(),
    )
    first, second, other = found.diagnoses
    assert (first.code, second.code, other.code) == ("TW1", "TW2", "TW1")
    assert first.together_with == (second.id,)
    assert second.together_with == (first.id,)
    assert other.together_with == ()


def test_the_same_finding_again_is_counted() -> None:
    found = diagnose([group(Lost(kind="a", source="x"))] * 3, [reason("TW1", when("a"))], Sources())
    assert [(d.seen, d.also) for d in found.diagnoses] == [(3, ())]


def test_one_break_for_many_sources_is_one_diagnosis_that_lists_them() -> None:
    groups = [group(Lost(kind="a", source=name)) for name in ("w", "b", "w", "c")]
    (only,) = diagnose(groups, [reason("TW1", when("a"))], Sources()).diagnoses
    assert only.source is not None and only.source.name == "w"
    assert [ref.name for ref in only.also] == ["b", "c"]
    assert only.seen == 2


def test_one_line_that_is_guilty_of_two_symptoms_is_reported_for_both() -> None:
    groups = [group(Lost(kind="a"), line=50), group(Lost(kind="a"), line=60)]
    assert len(diagnose(groups, [reason("TW1", when("a"))], Sources()).diagnoses) == 2


def test_errors_come_before_warnings_and_the_proved_before_the_likely() -> None:
    reasons = [
        reason("TW1", when("a", certainty="likely")),
        reason("TW2", when("a"), severity="warning"),
        reason("TW3", when("a")),
        reason("TW4", when("a", severity="note")),
    ]
    found = diagnose([group(Lost(kind="a"))], reasons, Sources()).diagnoses
    assert [d.code for d in found] == ["TW3", "TW1", "TW2", "TW4"]
    assert [d.id for d in found] == ["d1", "d2", "d3", "d4"]


def test_unexplained_needs_a_question_and_no_other_answer() -> None:
    reasons = [reason("TW1", when("a")), reason("TW901", when("b"), family="unexplained")]
    answered = diagnose([group(Lost(kind="b"), Lost(kind="a"), asked=True)], reasons, Sources())
    not_asked = diagnose([group(Lost(kind="b"))], reasons, Sources())
    open_question = diagnose([group(Lost(kind="b"), asked=True)], reasons, Sources())
    assert [[d.code for d in each.diagnoses] for each in (answered, not_asked, open_question)] == [
        ["TW1"],
        [],
        ["TW901"],
    ]


def test_a_rule_that_fails_is_named_and_the_others_go_on() -> None:
    def broken(case: Case) -> Evidence | None:
        raise KeyError("oops")

    found = diagnose([group(Lost(kind="a"))] * 2, [reason("TW1", broken), reason("TW2", when("a"))], Sources())
    assert [d.code for d in found.diagnoses] == ["TW2"]
    assert found.lost == ("rule TW1 tw1 failed: KeyError: 'oops'",)


def test_proposed_fixes_take_the_place_of_the_words_of_the_rule() -> None:
    def propose(case: Case, evidence: Evidence) -> Iterable[Fix]:
        yield Fix(summary=f"repair {evidence.message}")

    match = when("a", fixes=(Fix(summary="rule's own"),))
    (found,) = diagnose([group(Lost(kind="a"))], [reason("TW1", match, propose)], Sources()).diagnoses
    assert [fix.summary for fix in found.fixes] == ["repair a"]


def test_a_fix_that_nothing_checked_says_why() -> None:
    place = Position(line=1, column=0)
    edit = Edit(file="a.py", start=place, end=place, replacement="x")
    match = when("a", fixes=(Fix(summary="changed", edits=(edit,)), Fix(summary="in words")))
    (found,) = diagnose([group(Lost(kind="a"))], [reason("TW1", match)], Sources()).diagnoses
    assert {fix.verification.status for fix in found.fixes} == {"unverified"}
    changed, words = (fix.verification.evidence for fix in found.fixes)
    assert "tensorwhy fix" in changed and "no automatic edit" in words


def test_a_fix_that_cannot_be_written_leaves_the_explanation() -> None:
    def propose(case: Case, evidence: Evidence) -> Iterable[Fix]:
        yield Fix(summary="first")
        raise ValueError("cannot parse")

    found = diagnose([group(Lost(kind="a"))], [reason("TW1", when("a"), propose)], Sources())
    assert [d.code for d in found.diagnoses] == ["TW1"]
    assert found.lost == ("fix of TW1 failed: ValueError: cannot parse",)


def test_a_rule_sees_the_other_facts_of_its_question_only() -> None:
    seen = []

    def match(case: Case) -> Evidence | None:
        seen.append(case.others)
        return None

    first, second, third = Lost(kind="a"), Lost(kind="b"), Lost(kind="c")
    diagnose([group(first, second), group(third)], [reason("TW1", match)], Sources())
    assert seen == [(second,), (first,), ()]


def test_excerpts_hold_the_lines_of_every_place(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text("".join(f"line {number}\r\n" for number in range(1, 41)))
    match = when(
        "a",
        primary=Marked(file=str(file), line=10, end_line=11),
        related=(Marked(file=str(file), line=30), Marked(file="/no/such/file.py", line=3)),
    )
    found = diagnose([group(Lost(kind="a"))], [reason("TW1", match)], Sources()).diagnoses
    read = excerpts(found, Sources())
    assert list(read) == [str(file)]
    assert list(read[str(file)]) == [8, 9, 10, 11, 12, 13, 30]
    assert read[str(file)][10] == "line 10"
