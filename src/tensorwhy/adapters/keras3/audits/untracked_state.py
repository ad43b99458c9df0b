"""State that a training step reads, and that Keras does not know to be part of the model."""

from __future__ import annotations

from collections.abc import Iterable

from tensorwhy.adapters.keras3.adapter import Keras3Session
from tensorwhy.adapters.keras_common import read_once, untracked
from tensorwhy.model.facts import Fact


def audit(session: Keras3Session) -> Iterable[Fact]:
    """Variables of the user, and layers in places that Keras does not look into."""
    yield from untracked.facts(session.training, generation=3)
    yield from read_once.facts(session.training)
