"""Whether a list of sources leaves variables out on purpose."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensorwhy.diagnosis.engine import diagnose
from tensorwhy.diagnosis.reason import Case
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.training import NotAsked, NotHanded, NotMoved
from tensorwhy.model.location import Location
from tensorwhy.model.question import Variable
from tensorwhy.model.report import Symptom
from tensorwhy.reasons import catalogue
from tensorwhy.source.answers.lists import asked_elsewhere, picked
from tensorwhy.source.files import Sources

ASK = "grads = tape.gradient(loss, chosen)"


def chosen(folder: Path, program: str) -> bool:
    file = folder / "program.py"
    file.write_text(program)
    line = next(number for number, text in enumerate(program.splitlines(), start=1) if "tape.gradient" in text)
    fact = NotAsked(problem="left-out", variables=(), asked=Location(file=str(file), line=line))
    case = Case(fact=fact, symptom=Symptom(kind="silent"), sources=Sources())
    return picked(case.sources, fact.asked)


@pytest.mark.parametrize(
    "program",
    [
        f"chosen = [v for v in model.trainable_variables if 'bias' in v.name]\n{ASK}\n",
        f"chosen = model.trainable_variables[-2:]\ndef step():\n    {ASK}\n",
        f"chosen = []\nfor v in model.weights:\n    if v.name in names:\n        chosen.append(v)\n{ASK}\n",
        f"chosen = list(head.trainable_variables)\nif epoch > 3:\n    chosen += encoder.trainable_variables\n{ASK}\n",
        "for layer in model.layers[1:]:\n    grads = tape.gradient(loss, layer.trainable_variables)\n",
        "grads = tape.gradient(loss, model.layers[-1].trainable_variables)\n",
        "grads = tape.gradient(loss, sources=model.get_layer('head').trainable_variables)\n",
    ],
)
def test_a_condition_a_slice_or_single_layers_leave_out_the_rest_on_purpose(tmp_path: Path, program: str) -> None:
    assert chosen(tmp_path, program)


@pytest.mark.parametrize(
    "program",
    [
        f"chosen = decoder.trainable_variables\n{ASK}\n",
        f"chosen = [v for layer in decoder for v in layer.weights]\n{ASK}\n",
        "for model in models:\n    grads = tape.gradient(loss, model.trainable_variables)\n",
        f"for layer in model.layers[1:]:\n    print(layer)\nchosen = decoder.trainable_variables\n{ASK}\n",
        "grads = tape.gradient(loss, decoder.trainable_variables + head.trainable_variables)\n",
    ],
)
def test_a_whole_list_says_nothing_of_what_it_leaves_out(tmp_path: Path, program: str) -> None:
    assert not chosen(tmp_path, program)


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        ("generator.trainable_variables", True),
        ("self.generator.trainable_weights + extra.variables", True),
        ("critic.trainable_variables", False),
        ("images", False),
    ],
)
def test_a_step_that_did_not_run_may_train_another_model(tmp_path: Path, other: str, expected: bool) -> None:
    file = tmp_path / "program.py"
    file.write_text(f"a = tape.gradient(loss, critic.trainable_variables)\nb = tape.gradient(score, {other})\n")
    asked, unreached = (Location(file=str(file), line=line) for line in (1, 2))
    fact = NotAsked(problem="left-out", variables=(), asked=asked, unreached=(unreached,))
    case = Case(fact=fact, symptom=Symptom(kind="silent"), sources=Sources())
    assert asked_elsewhere(case.sources, asked, fact.unreached) is expected


@pytest.mark.parametrize(("others", "severity"), [(0, "warning"), (4, "note")])
def test_zeros_for_some_variables_while_others_move_are_a_choice(others: int, severity: str) -> None:
    place = Location(file="train.py", line=3)
    kept = Variable(tensor=1, name="words:0")
    fact = NotMoved(
        problem="never-changed", variables=(kept,), asked=place, applied=place, steps=5, others=others, nonzero=True
    )
    [found] = diagnose([CaseGroup(symptom=Symptom(kind="silent"), facts=(fact,))], catalogue(), Sources()).diagnoses
    assert (found.code, found.severity) == ("TW604", severity)


APPLY = "optimizer.apply_gradients(zip(kept, model.weights))"


@pytest.mark.parametrize(
    ("after", "severity"),
    [
        (f"if (step + 1) % 16 == 0:\n    {APPLY}\n", "note"),
        (f"def update():\n    {APPLY}\nif count % every == 0:\n    update()\n", "note"),
        (f"if ready:\n    {APPLY}\n", "warning"),
        (f"def update():\n    {APPLY}\nif step % 10 == 0:\n    print(loss)\n", "warning"),
    ],
)
def test_gradients_that_a_short_run_did_not_come_to_apply_are_a_note(tmp_path: Path, after: str, severity: str) -> None:
    file = tmp_path / "train.py"
    file.write_text(f"grads = tape.gradient(loss, model.weights)\n{after}")
    kept, asked = Variable(tensor=1, name="kernel:0"), Location(file=str(file), line=1)
    fact = NotHanded(problem="never-applied", variables=(kept,), asked=asked, steps=5)
    [found] = diagnose([CaseGroup(symptom=Symptom(kind="silent"), facts=(fact,))], catalogue(), Sources()).diagnoses
    assert (found.code, found.severity) == ("TW121", severity)
