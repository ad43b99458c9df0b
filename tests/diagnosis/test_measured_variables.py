"""A variable beside a trained model that begins with what was measured of data is not one that was forgotten."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensorwhy.diagnosis.engine import diagnose
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.variables import Untracked
from tensorwhy.model.location import Location
from tensorwhy.model.report import Symptom
from tensorwhy.reasons import catalogue
from tensorwhy.source.files import Sources


@pytest.mark.parametrize(
    ("begins", "severity"),
    [
        ("tf.Variable(tf.reduce_mean(data, 0))", "note"),
        ("tf.Variable(data.std(0), name='std')", "note"),
        ("tf.Variable(1.0)", "warning"),
        ("tf.Variable(tf.zeros((4, data.shape[1])))", "warning"),
        ("tf.Variable(tf.reduce_mean(tf.random.normal((4, 4)), 0))", "warning"),
    ],
)
def test_what_was_measured_is_a_note(tmp_path: Path, begins: str, severity: str) -> None:
    file = tmp_path / "program.py"
    file.write_text(f"kept = {begins}\n")
    made = Location(file=str(file), line=1)
    fact = Untracked(what="variable", name="kept", made=made, model="Sequential", trained_at=made)
    [found] = diagnose([CaseGroup(symptom=Symptom(kind="silent"), facts=(fact,))], catalogue(), Sources()).diagnoses
    assert (found.code, found.severity) == ("TW601", severity)
