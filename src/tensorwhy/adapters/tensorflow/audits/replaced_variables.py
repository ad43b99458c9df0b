"""Variables of modules that were replaced by a plain value, and are trained no more."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tensorwhy.adapters.keras_common.learning import replaced_weights
from tensorwhy.model.facts import Fact


def audit(session: Any) -> Iterable[Fact]:
    """What was seen where attributes were set and gradients were asked for."""
    yield from replaced_weights.facts()
