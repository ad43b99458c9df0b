"""A value that was asked for its Keras history and has none."""

from __future__ import annotations

from collections.abc import Iterable

from tensorwhy.adapters.keras_common.failures import history
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.model.facts import Fact


def probe(live: LiveFailure) -> Iterable[Fact]:
    """The eager tensor, array or variable that is no symbolic Keras tensor."""
    yield from history.lookups(live)
