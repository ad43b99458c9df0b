"""A layer whose constructor was given tensors, or a wrapper that was given one."""

from __future__ import annotations

from collections.abc import Iterable

from tensorwhy.adapters.keras_common.failures import constructors, stacking
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.model.facts import Fact


def probe(live: LiveFailure) -> Iterable[Fact]:
    """The tensors that only the finished layer takes."""
    yield from constructors.tensors(live, generation=2)
    yield from stacking.wrapped(live, generation=2)
