"""A functional model that could not be made of its inputs and outputs."""

from __future__ import annotations

from collections.abc import Iterable

from tensorwhy.adapters.keras_common.failures import models
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.model.facts import Fact


def probe(live: LiveFailure) -> Iterable[Fact]:
    """Misfits among inputs and outputs, or an input that the outputs need and that is not given."""
    yield from models.construction(live, generation=3)
