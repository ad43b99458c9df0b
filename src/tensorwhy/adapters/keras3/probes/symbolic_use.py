"""A symbolic Keras tensor that TensorFlow, NumPy or Python could not use."""

from __future__ import annotations

from collections.abc import Iterable

from tensorwhy.adapters.keras_common.failures import uses
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.model.facts import Fact


def probe(live: LiveFailure) -> Iterable[Fact]:
    """The raw operation, or the place where values are needed."""
    yield from uses.uses(live, generation=3)
