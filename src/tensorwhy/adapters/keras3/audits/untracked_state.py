"""State that a training step reads, and that Keras does not know to be part of the model."""

from __future__ import annotations

from collections.abc import Iterable

from tensorwhy.adapters.keras_common.learning import read_once, untracked
from tensorwhy.adapters.keras_common.session import KerasSession
from tensorwhy.model.facts import Fact


def audit(session: KerasSession) -> Iterable[Fact]:
    """Variables of the user, and layers in places that Keras does not look into."""
    yield from untracked.facts(session.training, generation=3)
    yield from read_once.facts(session.training)
