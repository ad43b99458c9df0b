"""Losses in which every element of the data is paired with every element of what a model gave."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tensorwhy.model.facts import Fact


def audit(session: Any) -> Iterable[Fact]:
    """What the shapes said when gradients were asked for."""
    yield from session.tapes.outer.facts
