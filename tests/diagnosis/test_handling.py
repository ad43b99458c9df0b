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
