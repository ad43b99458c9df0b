"""State that came after the layer or optimizer that should know it was finished."""

from __future__ import annotations

from collections.abc import Iterable

from tensorwhy.adapters.keras_common.failures import late
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.model.facts import Fact


def probe(live: LiveFailure) -> Iterable[Fact]:
    """The variable or layer that came too late."""
    yield from late.states(live, generation=2)
