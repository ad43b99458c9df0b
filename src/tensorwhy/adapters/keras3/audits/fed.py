"""Dicts of inputs whose keys are others than the model's, and that are taken in the order of their keys."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tensorwhy.adapters.keras_common.learning import fed
from tensorwhy.model.facts import Fact


def audit(session: Any) -> Iterable[Fact]:
    """What models were given."""
    yield from fed.facts()
