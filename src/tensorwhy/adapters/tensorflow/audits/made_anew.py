"""Steps that each train variables of their own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tensorwhy.model.facts import Fact


def audit(session: Any) -> Iterable[Fact]:
    """What was seen where gradients were asked for."""
    yield from session.tapes.made_anew.facts(session)
