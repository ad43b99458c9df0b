"""What is seen of `compile` and `fit`, on a class that has no more of Keras than these."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tensorwhy.adapters.keras_common.learning import fitting
from tensorwhy.recording.locations import UserCode


class Model:
    """Equal to all others, and so without a hash."""

    __hash__ = None  # type: ignore[assignment]
    trainable = True
    variables = trainable_variables = weights = layers = ()

    def __eq__(self, other: object) -> bool:
        return True

    def compile(self, loss: str) -> None:
        self.loss = loss

    def fit(self, x: int) -> int:
        return x


@pytest.fixture(autouse=True)
def watched() -> Iterator[None]:
    undo = fitting.watch(Model, UserCode())
    yield
    undo()


def test_a_training_call_goes_by_the_loss_of_its_own_model() -> None:
    first, second = Model(), Model()
    first.compile("mse")
    second.compile("mae")
    assert second.fit(3) == 3
    assert fitting.guarded.failure == ""
    ((trained, chosen),) = fitting.losses.items()
    assert (chosen.line, trained.line) == (second_compiled(), second_compiled() + 1)


def second_compiled() -> int:
    return test_a_training_call_goes_by_the_loss_of_its_own_model.__code__.co_firstlineno + 3


def test_the_class_is_as_it_was_afterwards() -> None:
    hooked = Model.fit
    undo = fitting.watch(Model, UserCode())
    undo()
    assert Model.fit is hooked
