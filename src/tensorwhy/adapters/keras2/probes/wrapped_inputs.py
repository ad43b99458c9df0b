"""An input that was to be made of a tensor with values."""

from __future__ import annotations

from collections.abc import Iterable

from tensorwhy.adapters.keras_common.failures import wrapped_inputs
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.model.facts import Fact


def probe(live: LiveFailure) -> Iterable[Fact]:
    """The value that `Input(tensor=...)` was given."""
    yield from wrapped_inputs.with_values(live, generation=2)
