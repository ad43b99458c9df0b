"""TW606 created-each-call: what is made in a call ends with it."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.diagnosis.told import observed

META = ReasonMeta(
    code="TW606",
    slug="created-each-call",
    family="variable",
    summary="A layer is created again in each call, and what it learns is thrown away.",
    severity="error",
)


def match(case: Case) -> Evidence | None:
    """Holds where an adapter saw it."""
    return observed(case, META)
