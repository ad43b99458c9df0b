"""A layer that was asked for its symbolic input or output before it had any."""

from __future__ import annotations

from collections.abc import Iterable

from tensorwhy.adapters.keras_common.failures import uncalled
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.model.facts import Fact


def probe(live: LiveFailure) -> Iterable[Fact]:
    """The layer or model that no symbolic Keras tensor ever entered."""
    yield from uncalled.lookups(live, generation=3)
