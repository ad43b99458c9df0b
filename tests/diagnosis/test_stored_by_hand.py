"""A variable that a line of the program assigns to is state of the program, whether that line ran or not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensorwhy.diagnosis import stored
from tensorwhy.diagnosis.engine import diagnose
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.training import NotAsked
from tensorwhy.model.facts.variables import Untracked
from tensorwhy.model.location import Location
from tensorwhy.model.question import Variable
from tensorwhy.model.report import Symptom
from tensorwhy.reasons import catalogue
from tensorwhy.source.files import Sources

CLASS = """
class Anneal:
    def __init__(self, weight, top=1.0):
        self.kept, self.top = weight, top
    def on_epoch_begin(self, epoch, logs=None):
        self.{}.assign(self.top)
Anneal({})
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("beta.assign(1.0)", True),
        ("def later():\n    self.beta.assign_add(1.0)", True),
        ("K.set_value(beta, 1.0)", True),
        (CLASS.format("kept", "beta"), True),
        (CLASS.format("kept", "top=3.0, weight=loss.beta"), True),
        (CLASS.format("top", "beta"), False),
        (CLASS.format("kept", "gamma"), False),
        ("def later(x):\n    x.assign(1.0)\nlater(beta)", True),
        ("gamma.assign(beta)", False),
        ("slopes = tape.gradient(loss, [beta])\nfor slope in slopes:\n    beta.assign_sub(0.1 * slope)", False),
        ("beta.assign(beta - tape.gradient(loss, beta))", False),
        ("beta = tf.Variable(0.0)\nloss = beta * x", False),
    ],
)
def test_a_line_that_assigns_is_found(tmp_path: Path, text: str, expected: bool) -> None:
    file = tmp_path / "program.py"
    file.write_text(text)
    assert stored.by_hand(Sources(), [str(file)], "beta") is expected


@pytest.mark.parametrize(("line", "severity"), [("beta.assign(0.0)", "note"), ("print(beta)", "warning")])
def test_a_variable_that_a_callback_sets_is_a_note(tmp_path: Path, line: str, severity: str) -> None:
    file = tmp_path / "program.py"
    file.write_text(f"beta = tf.Variable(0.0)\n{line}\n")
    made = Location(file=str(file), line=1)
    fact = Untracked(what="variable", name="beta", made=made, model="VAE", trained_at=made, unchanged=True)
    [found] = diagnose([CaseGroup(symptom=Symptom(kind="silent"), facts=(fact,))], catalogue(), Sources()).diagnoses
    assert (found.code, found.severity) == ("TW601", severity)


@pytest.mark.parametrize(
    ("line", "severity"), [("noise.assign(0.0)", "note"), ("noise.assign_sub(tape.gradient(loss, noise))", "warning")]
)
def test_a_variable_before_what_is_trained_that_a_schedule_sets_is_a_note(
    tmp_path: Path, line: str, severity: str
) -> None:
    file = tmp_path / "program.py"
    file.write_text(f"noise = tf.Variable(0.1)\nslopes = tape.gradient(loss, weights)\n{line}\n")
    made, asked = (Location(file=str(file), line=number) for number in (1, 2))
    left = Variable(tensor=1, name="Variable:0", created=made)
    fact = NotAsked(problem="left-out", variables=(left,), asked=asked, steps=4, others=2)
    [found] = diagnose([CaseGroup(symptom=Symptom(kind="silent"), facts=(fact,))], catalogue(), Sources()).diagnoses
    assert (found.code, found.severity) == ("TW116", severity)
