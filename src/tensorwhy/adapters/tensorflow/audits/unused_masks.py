"""Masks of Keras that a layer is given, and does not use."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tensorwhy.adapters.keras_common.learning import unused_masks
from tensorwhy.model.facts import Fact


def audit(session: Any) -> Iterable[Fact]:
    """What the recorded operations of such layers say."""
    yield from unused_masks.facts(session.lineage())
