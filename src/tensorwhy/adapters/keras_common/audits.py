"""What a training lost in silence, one function for each kind: it reads what one generation of Keras was seen to do."""

from __future__ import annotations

from collections.abc import Iterator

from tensorwhy.adapters.keras_common.learning import (
    fed,
    looked_up,
    loss_inputs,
    loss_shapes,
    read_once,
    settings,
    splits,
    trainability,
    unheard_updates,
    untracked,
    weighing,
)
from tensorwhy.adapters.keras_common.session import KerasSession
from tensorwhy.adapters.keras_common.survival import effects
from tensorwhy.model.facts import Fact


def calls_without_effect(session: KerasSession, generation: int) -> Iterator[Fact]:
    """Calls that are meant to change weights, and changed none."""
    yield from effects.facts()


def empty_weights(session: KerasSession, generation: int) -> Iterator[Fact]:
    """Weights of samples or classes that are all zero, so that training changes nothing."""
    yield from weighing.facts()


def fed_by_order(session: KerasSession, generation: int) -> Iterator[Fact]:
    """Dicts of inputs whose keys are not the model's, and that Keras 3 takes in the order of their keys."""
    yield from fed.facts() if generation == 3 else ()


def loss_misfits(session: KerasSession, generation: int) -> Iterator[Fact]:
    """Losses that take probabilities, and are given other numbers, and those that are given other shapes."""
    yield from loss_inputs.facts()
    yield from loss_shapes.facts()


def missing_names(session: KerasSession, generation: int) -> Iterator[Fact]:
    """Names that callbacks look up in the results of each epoch, and that no epoch has."""
    yield from looked_up.facts(generation)


def reshuffled_splits(session: KerasSession, generation: int) -> Iterator[Fact]:
    """Parts of a dataset that is shuffled anew for each pass, of which one is trained on and one held out."""
    yield from splits.facts(generation)


def stale_trainability(session: KerasSession, generation: int) -> Iterator[Fact]:
    """`trainable` that was changed too late for the training that followed, and models that are frozen as a whole."""
    yield from trainability.facts()


def unheard(session: KerasSession, generation: int) -> Iterator[Fact]:
    """Updates that Keras 2 was handed as pairs by `add_update`, which takes them for updates that were made already."""
    yield from unheard_updates.facts() if generation == 2 else ()


def untracked_state(session: KerasSession, generation: int) -> Iterator[Fact]:
    """Variables of the user that a training step reads, and layers in places that Keras does not look into."""
    yield from untracked.facts(session.training, generation)
    yield from read_once.facts(session.training) if generation == 3 else ()


def vain_settings(session: KerasSession, generation: int) -> Iterator[Fact]:
    """Settings of a training that another setting, or the way `fit` is called, leaves without effect."""
    yield from settings.facts(generation)
