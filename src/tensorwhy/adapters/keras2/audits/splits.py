"""Parts of a dataset that is shuffled anew for each pass, where one is trained on and the other is not to be."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tensorwhy.adapters.keras_common.learning import splits
from tensorwhy.model.facts import Fact


def audit(session: Any) -> Iterable[Fact]:
    """What training and testing calls were given."""
    yield from splits.facts(generation=2)
