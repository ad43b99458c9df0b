"""TW123 modified-in-place: what the backward pass needs is not there any more."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.diagnosis.told import observed

META = ReasonMeta(
    code="TW123",
    slug="modified-in-place",
    family="gradient",
    summary="A value that the backward pass needs was changed in place after it was used.",
    severity="error",
)


def match(case: Case) -> Evidence | None:
    """Holds where an adapter saw it."""
    return observed(case, META)
