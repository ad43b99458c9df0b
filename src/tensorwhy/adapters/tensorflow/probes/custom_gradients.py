"""TW119: TensorFlow refuses the backward function of a custom gradient."""

from __future__ import annotations

from collections.abc import Iterator

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.tensorflow.failures import refused_backward
from tensorwhy.model.facts import Fact


def probe(live: LiveFailure) -> Iterator[Fact]:
    found = refused_backward.find(live)
    if found is not None:
        yield found
