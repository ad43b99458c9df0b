"""Updates that were handed to `add_update` as pairs, which it takes for updates that were made already."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tensorwhy.adapters.keras_common.learning import unheard_updates
from tensorwhy.model.facts import Fact


def audit(session: Any) -> Iterable[Fact]:
    """What layers were given."""
    yield from unheard_updates.facts()
