"""Repairs are tried on copies, one after the other, until the time for them is over."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec
import pytest

from tensorwhy.experiments import repair
from tensorwhy.experiments.rerun import Launch, Ran
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import (
    Coverage,
    Diagnosis,
    Edit,
    Environment,
    Fix,
    Position,
    Program,
    Report,
    Symptom,
)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "train.py"
    path.write_text("a = 1\n")
    return path


def ran(*diagnoses: Diagnosis) -> Ran:
    report = Report(
        tool_version="0",
        program=Program(path="train.py"),
        environment=Environment(python="3"),
        diagnoses=diagnoses,
        coverage=Coverage(steps_recorded=1),
    )
    return Ran(exit_code=0, report=report, stopped=False, seconds=1.0, errors="")


def lost(program: Path, *replacements: str) -> Diagnosis:
    """A diagnosis with one fix for each text that could stand in the place of the 1."""
    start, end = Position(line=1, column=4), Position(line=1, column=5)
    edits = [Edit(file=str(program), start=start, end=end, replacement=each) for each in replacements]
    place = Location(file=str(program), line=1)
    return Diagnosis(
        id="d1",
        code="TW101",
        slug="some-slug",
        family="gradient",
        severity="warning",
        certainty="proved",
        message="lost",
        primary=Marked.at(place, "here"),
        symptom=Symptom(kind="none-gradient", location=place),
        fixes=tuple(Fix(summary=f"make it {edit.replacement}", edits=(edit,)) for edit in edits),
    )


def experimenter(program: Path, found: Diagnosis, tried: list[str], told: list[str], **fields: float):
    def run(launch: Launch, files: Mapping[str, bytes]) -> Ran:
        text = files[str(program)].decode()
        tried.append(text)
        return ran() if "3" in text else ran(found)

    launch = Launch(program=str(program), folder=str(program.parent), directory=str(program.parent), **fields)
    return repair.Experimenter(launch, ran(found), repair.Files(str(program.parent)), run, told.append)


def test_the_choices_are_tried_in_their_order_until_one_is_confirmed(program: Path) -> None:
    found, tried, told = lost(program, "2", "3", "4"), [], []
    result = experimenter(program, found, tried, told).repair((found,))
    assert result.confirmed and [fix.summary for _, fix in result.fixes] == ["make it 3"]
    assert tried == ["a = 2\n", "a = 3\n"]
    assert told == ["run 1 of a changed copy: TW101", "run 2 of a changed copy: TW101"]
    assert program.read_text() == "a = 1\n"


def test_nothing_runs_when_the_time_for_experiments_is_over(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found, tried = lost(program, "3"), []
    trying = experimenter(program, found, tried, [])
    now = repair.time.monotonic()
    monkeypatch.setattr(repair.time, "monotonic", lambda: now + 1e6)
    result = trying.repair((found,))
    assert not tried and result.verification.status == "unverified"
    assert result.verification.evidence == "the time limit for experiments was reached"


def test_a_file_outside_of_the_programs_folder_is_left_alone(program: Path, tmp_path: Path) -> None:
    found, tried = lost(program, "3"), []
    launch = Launch(program=str(program), folder=str(tmp_path / "other"), directory=str(tmp_path))
    trying = repair.Experimenter(launch, ran(found), repair.Files(launch.folder), lambda *_: tried.append("") or ran())
    result = trying.repair((found,))
    assert not tried and "outside the program's own folder" in result.verification.evidence


def test_an_edit_is_not_refuted_for_what_has_no_edit_beside_it(program: Path) -> None:
    found, tried = lost(program, "2"), list[str]()
    other = msgspec.structs.replace(found, id="d2", code="TW103", fixes=(Fix(summary="by hand"),))
    trying = experimenter(program, found, tried, [])
    assert trying.repair((found,)).verification.status == "refuted"
    verification = trying.repair((found, other)).verification
    assert verification.status == "unverified" and verification.evidence.startswith("TW103 has no edit")


def test_two_repairs_that_are_both_needed_are_named(program: Path) -> None:
    one = lost(program, "3")
    edit = Edit(file=str(program), start=Position(line=1, column=0), end=Position(line=1, column=1), replacement="b")
    two = msgspec.structs.replace(one, id="d2", code="TW102", fixes=(Fix(summary="name", edits=(edit,)),))
    launch = Launch(program=str(program), folder=str(program.parent), directory=str(program.parent))

    def run(launch: Launch, files: Mapping[str, bytes]) -> Ran:
        return ran() if files[str(program)] == b"b = 3\n" else ran(one, two)

    trying = repair.Experimenter(launch, ran(one, two), repair.Files(launch.folder), run)
    result = trying.repair((one, two))
    assert result.confirmed
    assert result.verification.evidence.endswith("each change alone (TW101, TW102) is not enough")


def test_changes_that_only_help_together_are_tried_together(program: Path) -> None:
    program.write_text("a = 1\nb = 1\n")
    one = lost(program, "3")
    place = Location(file=str(program), line=2)
    edit = Edit(file=str(program), start=Position(line=2, column=4), end=Position(line=2, column=5), replacement="3")
    other = msgspec.structs.replace(
        one,
        id="d2",
        primary=Marked.at(place, "here"),
        symptom=Symptom(kind="none-gradient", location=place),
        fixes=(Fix(summary="make it 3", edits=(edit,)),),
    )

    def run(launch: Launch, files: Mapping[str, bytes]) -> Ran:
        return ran() if files[str(program)].decode() == "a = 3\nb = 3\n" else ran(one, other)

    launch = Launch(program=str(program), folder=str(program.parent), directory=str(program.parent))
    tries = repair.Experimenter(launch, ran(one, other), repair.Files(str(program.parent)), run)
    alone = [tries.repair((each,)) for each in (one, other)]
    assert [each.confirmed for each in alone] == [False, False]
    (whole,) = tries.together(alone)
    assert whole.confirmed and whole.group == (one, other) and len(whole.edits) == 2
    assert whole.verification.evidence.endswith("each change alone is not enough")


def test_what_does_not_help_together_either_stays_as_it_is(program: Path) -> None:
    found, tried, told = lost(program, "2"), [], []
    tries = experimenter(program, found, tried, told)
    alone = [tries.repair((found,)), tries.repair((msgspec.structs.replace(found, id="d2"),))]
    assert tries.together(alone) == alone


def failed(program: Path, number: int, line: int, text: str) -> Diagnosis:
    """An exception at a line, with a fix that puts this text in the place of the value there."""
    place = Location(file=str(program), line=line)
    start, end = Position(line=line, column=4), Position(line=line, column=5)
    edit = Edit(file=str(program), start=start, end=end, replacement=text)
    return msgspec.structs.replace(
        lost(program),
        id=f"d{number}",
        family="keras-history",
        primary=Marked.at(place, "here"),
        symptom=Symptom(kind="exception", location=place),
        fixes=(Fix(summary="repair it", edits=(edit,)),),
    )


def test_what_is_lost_next_is_repaired_in_the_same_repair(program: Path) -> None:
    program.write_text("a = 1\nb = 1\n")

    def run(launch: Launch, files: Mapping[str, bytes]) -> Ran:
        text = files[str(program)].decode()
        if "a = 1" in text:
            return failing(failed(program, 1, 1, "2\nc = 3"))
        return failing(failed(program, 2, 3, "2")) if "b = 1" in text else ran()

    def failing(found: Diagnosis) -> Ran:
        return msgspec.structs.replace(ran(found), exit_code=1)

    first = failed(program, 1, 1, "2\nc = 3")
    launch = Launch(program=str(program), folder=str(program.parent), directory=str(program.parent))
    files = repair.Files(str(program.parent))
    found = repair.Experimenter(launch, failing(first), files, run).repair((first,))
    assert found.confirmed and "also fixes what failed next" in found.verification.evidence
    (text,) = files.changed(found.edits).after.values()
    assert text.text == "a = 2\nc = 3\nb = 2\n"


@pytest.mark.parametrize(
    ("code", "values", "status"),
    [
        ("TW101", (2.0, 2.0, 2.0), "confirmed"),
        ("TW101", (2.0, 3.0, 2.0), "unverified"),
        ("TW101", (2.0, 3.0, 4.0), "confirmed"),
        ("TW105", (2.0, 3.0, 2.0), "confirmed"),
    ],
    ids=["kept", "changed", "another one in each run", "meant to change"],
)
def test_a_change_that_should_keep_the_value_of_the_target_has_to(
    program: Path, code: str, values: tuple[float, float, float], status: str
) -> None:
    """The values before, with the change, and in another run without it."""
    found = msgspec.structs.replace(lost(program, "3"), code=code)
    before, changed, again = (
        msgspec.structs.replace(ran(found), values={(str(program), 1): value}) for value in values
    )
    runs: list[str] = []

    def run(launch: Launch, files: Mapping[str, bytes]) -> Ran:
        runs.append("changed" if files else "unchanged")
        return msgspec.structs.replace(ran(), values=changed.values) if files else again

    launch = Launch(program=str(program), folder=str(program.parent), directory=str(program.parent))
    result = repair.Experimenter(launch, before, repair.Files(launch.folder), run).repair((found,))
    assert result.verification.status == status, result.verification.evidence
    assert runs == ["changed"] + ["unchanged"] * (code == "TW101" and values[0] != values[1])


def test_what_is_lost_in_silence_is_compared_over_as_few_steps_as_show_it(program: Path) -> None:
    found = msgspec.structs.replace(
        lost(program, "3"),
        family="variable",
        symptom=Symptom(kind="silent", location=Location(file=str(program), line=1)),
    )
    place = (str(program), 1)
    before = msgspec.structs.replace(ran(found), seconds=300.0, steps={place: 5000})
    for shown, wanted in ((True, {place: 16}), (False, {})):
        launches: list[Launch] = []

        def run(launch: Launch, files: Mapping[str, bytes], shown: bool = shown, told: list[Launch] = launches) -> Ran:
            told.append(launch)
            seen = (found,) if shown and not files else ()
            return msgspec.structs.replace(ran(*seen), exit_code=130, answered=bool(launch.goals))

        launch = Launch(program=str(program), folder=str(program.parent), directory=str(program.parent))
        assert (
            repair.Experimenter(launch, before, repair.Files(launch.folder), run).repair((found,)).confirmed
            or not shown
        )
        assert [each.goals.train for each in launches] == [{place: 16}, wanted]
