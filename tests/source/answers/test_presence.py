"""Gradients that are asked for to know which of them exist are not gradients that were never applied."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensorwhy.diagnosis.engine import diagnose
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.training import NotHanded
from tensorwhy.model.location import Location
from tensorwhy.model.question import Variable
from tensorwhy.model.report import Symptom
from tensorwhy.reasons import catalogue
from tensorwhy.source.files import Sources

ASK = "grads = tape.gradient(loss, weights)\n"


def severity(folder: Path, program: str) -> str:
    file = folder / "program.py"
    file.write_text(program)
    line = next(number for number, text in enumerate(program.splitlines(), start=1) if "tape.gradient" in text)
    kernel = Variable(tensor=1, name="kernel", dtype="float32", shape=(2,), trainable=True)
    fact = NotHanded(problem="never-applied", variables=(kernel,), asked=Location(file=str(file), line=line), steps=4)
    [found] = diagnose([CaseGroup(symptom=Symptom(kind="silent"), facts=(fact,))], catalogue(), Sources()).diagnoses
    assert found.code == "TW121"
    return found.severity


@pytest.mark.parametrize(
    "program",
    [
        f"{ASK}print([g is None for g in grads])\n",
        f"{ASK}print(sum(1 for g in grads if g is not None), 'of', len(grads))\n",
        f"def report():\n    {ASK}    print([v.name for v, g in zip(weights, grads) if g is None])\n",
        f"{ASK}for i, g in enumerate(grads):\n    if g is None:\n        print(i)\n    else:\n        found += 1\n",
        "slope, shift = tape.gradient(loss, weights)\nprint(slope is None, shift is None)\n",
        "print(tape.gradient(loss, weights)[0] is not None)\n",
    ],
)
def test_an_answer_that_is_only_tested_for_none_is_a_note(tmp_path: Path, program: str) -> None:
    assert severity(tmp_path, program) == "note"


@pytest.mark.parametrize(
    "program",
    [
        ASK,
        f"{ASK}print(len(grads))\n",
        f"{ASK}print([g is None for g in grads])\nkeep(grads)\n",
        f"{ASK}print([None if g is None else tf.norm(g) for g in grads])\n",
        f"{ASK}assert all(g is not None for g in grads)\n",
        f"{ASK}for g in grads:\n    if g is None:\n        raise ValueError('cut')\n",
        f"def ask():\n    {ASK}    print(grads[0] is None)\n    return grads\n",
        f"{ASK}self.grads = grads\nprint(grads[0] is None)\n",
    ],
)
def test_one_that_guards_an_update_or_is_read_otherwise_is_a_warning(tmp_path: Path, program: str) -> None:
    assert severity(tmp_path, program) == "warning"
