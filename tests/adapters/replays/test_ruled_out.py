"""What is often blamed, and stayed as it was in a replay that brought the gradient back."""

from __future__ import annotations

import pytest

from tensorwhy.adapters.tensorflow.experiments.suspects import MOST, around, on_the_way
from tensorwhy.model.facts.gradient import GradientBreak, NotPassed
from tensorwhy.model.location import Location
from tensorwhy.model.question import GradientQuestion, Source
from tensorwhy.model.report import PathStep

SOURCE = Source(tensor=1, variable=True, name="w", dtype="float32", position=0)


def at(line: int) -> Location:
    return Location(file="train.py", line=line)


def asked(warned: bool = False) -> GradientQuestion:
    return GradientQuestion(
        event=9, recorder=1, targets=(5,), sources=(SOURCE,), asked=1, location=at(9), warned=("w",) if warned else ()
    )


def stopped(line: int, op: str = "StopGradient") -> GradientBreak:
    return NotPassed(kind="stop-gradient", op=op, location=at(line), question=asked(), sources=(SOURCE,))


@pytest.mark.parametrize(
    ("op", "what"),
    [
        ("StridedSlice", "the slice"),
        ("GatherV2", "the gather"),
        ("ResourceGather", "the gather"),
        ("Reshape", "the change of shape"),
        ("Transpose", "the change of shape"),
        ("ConcatV2", "the concatenation or stack"),
        ("Pack", "the concatenation or stack"),
        ("BroadcastTo", "the repetition"),
    ],
)
def test_an_operation_that_let_the_gradient_pass_is_ruled_out(op: str, what: str) -> None:
    steps = [PathStep(op=op, location=at(2)), PathStep(op="StopGradient", location=at(3))]
    assert [(each.what, each.location) for each in on_the_way(steps, [stopped(3)])] == [(what, at(2))]


def test_the_break_itself_is_no_wrong_suspect() -> None:
    assert on_the_way([PathStep(op="GatherV2", location=at(2))], [stopped(2, "GatherV2")]) == []


def test_a_few_are_named_each_once() -> None:
    steps = [PathStep(op="Reshape", location=at(line)) for line in (1, 1, 2, 3, 4, 5, 6)]
    assert [each.location for each in on_the_way(steps, [stopped(9)])] == [at(line) for line in range(1, MOST + 1)]


@pytest.mark.parametrize(
    ("persistent", "lost", "warned", "expected"),
    [
        (False, True, False, ["`persistent=True`"]),
        (True, True, False, ["`persistent=False`"]),
        (False, False, False, []),
        (False, True, True, ["`persistent=True`", "the optimizer"]),
    ],
)
def test_the_other_kind_of_tape_and_the_optimizer_are_ruled_out_when_it_stays_lost(
    persistent: bool, lost: bool, warned: bool, expected: list[str]
) -> None:
    assert [each.what for each in around(asked(warned), persistent, lost)] == expected
