"""Weights of samples or classes that are all zero, so that training changes nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tensorwhy.adapters.keras_common.learning import weighing
from tensorwhy.model.facts import Fact


def audit(session: Any) -> Iterable[Fact]:
    """What `fit` was given."""
    yield from weighing.facts()
