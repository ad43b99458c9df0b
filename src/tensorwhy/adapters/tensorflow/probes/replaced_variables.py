"""TW112: a program fails where it asks for the gradient of no variable, because tensors took their place."""

from __future__ import annotations

from collections.abc import Iterator

from tensorwhy.adapters.keras_common.learning import replaced_weights
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.model.facts import Fact


def probe(live: LiveFailure) -> Iterator[Fact]:
    yield from replaced_weights.failed(live)
