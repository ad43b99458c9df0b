"""How grave a None is that the program filters out, replaces, asserts or ignores."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensorwhy.diagnosis.gradient import severity
from tensorwhy.diagnosis.reason import Case
from tensorwhy.model.facts.gradient import BREAKS, BreakKind, Use
from tensorwhy.model.location import Location
from tensorwhy.model.question import GradientQuestion, Source
from tensorwhy.model.report import Severity, Symptom
from tensorwhy.source.files import Sources

ASKED = "found = tape.gradient(loss, variables)"
FILTERED = "pairs = [(g, v) for g, v in zip(found, variables) if g is not None]"
REPLACED = "found = [zeros(v) if g is None else g for g, v in zip(found, variables)]"
ASSERTED = "assert found[0] is None"


def gravity(
    folder: Path,
    then: str,
    *,
    variable: bool = True,
    left_out: bool = True,
    kind: BreakKind = "unused",
    use: bool = False,
) -> Severity:
    file = folder / "program.py"
    file.write_text(f"{ASKED}\n{then}\n")
    place = Location(file=str(file), line=1, column=8, end_line=1, end_column=len(ASKED))
    source = Source(tensor=1, variable=variable, trainable=True if variable else None, left_out=left_out)
    question = GradientQuestion(event=1, recorder=1, asked=2, targets=(), sources=(source,), location=place)
    used = Use(how="shared-call", location=place) if use else None
    fact = BREAKS[kind](kind=kind, question=question, sources=(source,), **({"use": used} if used else {}))
    symptom = Symptom(kind="none-gradient", location=place)
    return severity(Case(fact=fact, symptom=symptom, failure=None, others=(), sources=Sources()), fact)


@pytest.mark.parametrize("then", [FILTERED, REPLACED])
def test_a_none_of_a_variable_that_is_left_out_is_a_warning_though_it_is_filtered(tmp_path: Path, then: str) -> None:
    assert gravity(tmp_path, then) == "warning"


@pytest.mark.parametrize("then", [FILTERED, REPLACED])
def test_a_filtered_none_of_a_variable_that_is_trained_otherwise_is_a_note(tmp_path: Path, then: str) -> None:
    assert gravity(tmp_path, then, left_out=False) == "note"


def test_a_none_that_is_asserted_is_a_note(tmp_path: Path) -> None:
    assert gravity(tmp_path, ASSERTED) == "note"


@pytest.mark.parametrize("kind", ["stop-gradient", "untaken-branch"])
def test_a_filtered_none_that_the_program_itself_asks_for_is_a_note(tmp_path: Path, kind: BreakKind) -> None:
    assert gravity(tmp_path, FILTERED, kind=kind) == "note"


@pytest.mark.parametrize(
    ("kind", "use", "wanted"), [("unused", False, "note"), ("unused", True, "warning"), ("dtype", False, "warning")]
)
def test_a_replaced_none_of_a_tensor_is_a_warning_where_its_gradient_was_lost(
    tmp_path: Path, kind: BreakKind, use: bool, wanted: Severity
) -> None:
    assert gravity(tmp_path, REPLACED, variable=False, kind=kind, use=use) == wanted
