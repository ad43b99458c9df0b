"""Objects of two Keras packages in one call."""

from __future__ import annotations

from collections.abc import Iterable

from tensorwhy.adapters.keras_common.failures import mixing
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.model.facts import Fact


def probe(live: LiveFailure) -> Iterable[Fact]:
    """The object of another package that a call of this one received."""
    yield from mixing.meetings(live)
