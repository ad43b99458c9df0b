"""A layer that was called on something that is no tensor."""

from __future__ import annotations

from collections.abc import Iterable

from tensorwhy.adapters.keras_common.failures import layers, stacking
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.model.facts import Fact


def probe(live: LiveFailure) -> Iterable[Fact]:
    """The layer, model, function or list that a layer got in place of one tensor."""
    yield from layers.misfits(live, generation=2)
    yield from stacking.tensors(live, generation=2)
