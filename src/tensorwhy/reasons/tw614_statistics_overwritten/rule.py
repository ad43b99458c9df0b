"""TW614 statistics-overwritten: a part that is unfrozen takes its batch normalization with it."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.diagnosis.told import observed

META = ReasonMeta(
    code="TW614",
    slug="statistics-overwritten",
    family="variable",
    summary="Unfreezing a part also unfroze its batch normalization, and the loss rose.",
    severity="warning",
)


def match(case: Case) -> Evidence | None:
    """Holds where an adapter saw it."""
    return observed(case, META)
