"""Whether a program handles a None in what it hands its gradients to: a mapped function, an object that is called."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensorwhy.diagnosis.handling import handles_none
from tensorwhy.model.location import Location
from tensorwhy.model.question import GradientQuestion
from tensorwhy.recording.sources import Sources

HELPERS = """\
def or_zero(gradient, variable):
    return zeros(variable) if gradient is None else gradient

def clipped(gradient, variable):
    return clip(gradient)

class Cleaner:
    def __call__(self, pairs):
        return [pair for pair in pairs if pair[0] is not None]

class Scaler:
    def __call__(self, pairs):
        return [(2 * gradient, variable) for gradient, variable in pairs]

optimizer, clean = Optimizer(), Cleaner()
scale = Scaler()
"""


def handled(folder: Path, statement: str) -> bool:
    file = folder / "program.py"
    file.write_text(f"{HELPERS}found = tape.gradient(loss, variables)\n{statement}\n")
    asked = Location(file=str(file), line=len(HELPERS.splitlines()) + 1)
    question = GradientQuestion(event=1, tape=1, asked=1, targets=(), sources=(), location=asked)
    return handles_none(Sources(), question)


@pytest.mark.parametrize(
    "statement",
    [
        "kept = map(or_zero, found, variables)",
        "kept = clean(zip(found, variables))",
        "for each in clean(found): use(each)",
    ],
)
def test_a_none_is_handled_by_the_function_or_object_that_gets_the_gradients(tmp_path: Path, statement: str) -> None:
    assert handled(tmp_path, statement)


@pytest.mark.parametrize(
    "statement",
    [
        "kept = map(clipped, found, variables)",
        "kept = scale(zip(found, variables))",
        "kept = map(or_zero, variables, found)",
    ],
)
def test_a_none_is_not_handled_by_helpers_that_look_at_no_gradient(tmp_path: Path, statement: str) -> None:
    assert not handled(tmp_path, statement)


LISTED = "lost = [v for g, v in zip(found, variables) if g is None]"


@pytest.mark.parametrize(
    "statement",
    [
        f"{LISTED}\nassert not lost, lost",
        f"{LISTED}\nassert len(lost) == 0",
        f"{LISTED}\nif lost:\n    raise ValueError(lost)",
        "if lost := [g for g in found if g is None]:\n    raise ValueError(lost)",
        "lost = []\nfor g, v in zip(found, variables):\n    if g is None:\n        lost.append(v)\nassert not lost",
    ],
)
def test_a_program_that_fails_where_it_finds_a_none_does_not_handle_it(tmp_path: Path, statement: str) -> None:
    assert not handled(tmp_path, statement)


@pytest.mark.parametrize(
    "statement",
    [
        f"{LISTED}\nkept = [g for g in found if g is not None]\nassert not lost",
        f"{LISTED}\nassert kept",
        "kept = [g for g in found if g is not None]\nassert kept",
        "for g in found:\n    if g is None:\n        continue\n    kept.append(g)\nassert kept",
    ],
)
def test_a_none_that_is_left_out_is_handled_whatever_is_asserted(tmp_path: Path, statement: str) -> None:
    assert handled(tmp_path, statement)
