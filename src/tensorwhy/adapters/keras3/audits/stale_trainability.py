"""`trainable` that was changed too late for the training that followed, and models that are frozen as a whole."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tensorwhy.adapters.keras_common.learning import trainability
from tensorwhy.model.facts import Fact


def audit(session: Any) -> Iterable[Fact]:
    """What training calls met."""
    yield from trainability.facts()
