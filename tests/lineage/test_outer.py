"""Which products of pairs are reported as accidents, from shapes and origins alone."""

from __future__ import annotations

import pytest

from tensorwhy.lineage import outer
from tensorwhy.lineage.outer import Operation, outer_results

X, W, Y, PREDICTED, PAIRS, LOSS = range(6)


class Program:
    """`mean(y - x @ w)`: shapes and operations by tensor."""

    is_cut = False

    def __init__(self) -> None:
        self.shapes = {X: (8, 3), W: (3, 1), Y: (8,), PREDICTED: (8, 1), PAIRS: (8, 8), LOSS: ()}
        self.made = {
            X: Operation("Placeholder", "data"),
            W: Operation("ReadVariableOp", "variable"),
            Y: Operation("Placeholder", "data"),
            PREDICTED: Operation("MatMul", "other", (X, W)),
            PAIRS: Operation("Sub", "elementwise", (Y, PREDICTED)),
            LOSS: Operation("Mean", "reduce", (PAIRS,)),
        }

    def operation(self, tensor: int) -> Operation:
        return self.made[tensor]

    def shape(self, tensor: int):
        return self.shapes[tensor]

    def cut(self) -> None:
        self.is_cut = True


def found(program: Program) -> list[tuple[int, int, int]]:
    return [(each.tensor, each.low, each.given) for each in outer_results(program, [LOSS])]


@pytest.mark.parametrize("size", [8, None])
def test_labels_without_an_axis_are_paired_with_predictions(size: int | None) -> None:
    program = Program()
    program.shapes |= {Y: (size,), PREDICTED: (size, 1), PAIRS: (size, size)}
    assert found(program) == [(PAIRS, 0, 0)]


def test_predictions_without_an_axis_are_paired_with_labels() -> None:
    program = Program()
    program.shapes |= {Y: (8, 1), PREDICTED: (8,)}
    assert found(program) == [(PAIRS, 1, 0)]


@pytest.mark.parametrize(
    "shapes",
    [
        {Y: (8, 1), PREDICTED: (8, 1), PAIRS: (8, 1)},
        {Y: (1,), PREDICTED: (1, 1), PAIRS: (1, 1)},
        {Y: (5,), PREDICTED: (8, 1), PAIRS: (8, 5)},
        {Y: (8,), PREDICTED: (8, 8)},
        {Y: (), PREDICTED: (8, 1), PAIRS: (8, 1)},
        {Y: None},
    ],
)
def test_other_shapes_are_left_alone(shapes: dict[int, tuple[int, ...] | None]) -> None:
    program = Program()
    program.shapes |= shapes
    assert found(program) == []


@pytest.mark.parametrize(
    "made",
    [
        {PREDICTED: Operation("ExpandDims", "move", (W,))},
        {LOSS: Operation("Softmax", "other", (PAIRS,))},
        {LOSS: Operation("Identity", "elementwise", (PAIRS,))},
        {Y: Operation("Const", "array")},
        {Y: Operation("ReadVariableOp", "variable")},
        {X: Operation("Const", "other")},
    ],
)
def test_pairs_that_may_be_meant_are_left_alone(made: dict[int, Operation]) -> None:
    program = Program()
    program.made |= made
    assert found(program) == []


def test_pairs_that_something_else_is_made_of_are_left_alone() -> None:
    program = Program()
    used = 6
    program.made |= {used: Operation("MatMul", "other", (PAIRS,)), LOSS: Operation("Mean", "reduce", (PAIRS, used))}
    program.shapes[used] = (8, 8)
    assert found(program) == []


@pytest.mark.parametrize(("most", "cut"), [(2, True), (2_000, False)])
def test_a_search_that_ends_early_is_told(most: int, cut: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outer, "_LOSS", most)
    program = Program()
    found(program)
    assert program.is_cut == cut
