"""Whether a list of sources leaves variables out on purpose."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensorwhy.diagnosis.reason import Case
from tensorwhy.diagnosis.training import picked
from tensorwhy.model.facts.training import NotTrained
from tensorwhy.model.location import Location
from tensorwhy.model.report import Symptom
from tensorwhy.recording.sources import Sources

ASK = "grads = tape.gradient(loss, chosen)"


def chosen(folder: Path, program: str) -> bool:
    file = folder / "program.py"
    file.write_text(program)
    line = next(number for number, text in enumerate(program.splitlines(), start=1) if "tape.gradient" in text)
    fact = NotTrained(problem="left-out", variables=(), asked=Location(file=str(file), line=line))
    case = Case(fact=fact, symptom=Symptom(kind="silent"), sources=Sources())
    return picked(case, fact.asked)


@pytest.mark.parametrize(
    "program",
    [
        f"chosen = [v for v in model.trainable_variables if 'bias' in v.name]\n{ASK}\n",
        f"chosen = model.trainable_variables[-2:]\ndef step():\n    {ASK}\n",
        f"chosen = []\nfor v in model.weights:\n    if v.name in names:\n        chosen.append(v)\n{ASK}\n",
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
        "grads = tape.gradient(loss, decoder.trainable_variables + head.trainable_variables)\n",
    ],
)
def test_a_whole_list_says_nothing_of_what_it_leaves_out(tmp_path: Path, program: str) -> None:
    assert not chosen(tmp_path, program)
