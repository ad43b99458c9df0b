"""TW125 forced-leaf: the error is gone, and so is every gradient."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.diagnosis.told import observed

META = ReasonMeta(
    code="TW125",
    slug="forced-leaf",
    family="gradient",
    summary="A result without a graph was made a leaf, which only silences the error of the backward pass.",
    severity="error",
)


def match(case: Case) -> Evidence | None:
    """Holds where an adapter saw it."""
    return observed(case, META)
