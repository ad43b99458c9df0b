"""`predict` under a tape that watches, which Keras 2 cannot do."""

from __future__ import annotations

from collections.abc import Iterable

from tensorwhy.adapters.keras_common.failures import feeding
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.model.facts import Fact


def probe(live: LiveFailure) -> Iterable[Fact]:
    """The call of `predict`, and the tape that was open around it."""
    yield from feeding.under_tape(live, generation=2)
