"""TW806 metric-misfit: what a metric function returns for a batch is no mean over samples, and Keras averages it."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.diagnosis.told import observed

META = ReasonMeta(
    code="TW806",
    slug="metric-misfit",
    family="data",
    summary="A metric function sums over the whole batch, or takes a root sample by sample.",
    severity="warning",
)


def match(case: Case) -> Evidence | None:
    """Holds where an adapter saw it."""
    return observed(case, META)
