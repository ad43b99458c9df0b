"""TW124 checkpoint-input: reentrant checkpointing looks at its inputs alone."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.diagnosis.told import observed

META = ReasonMeta(
    code="TW124",
    slug="checkpoint-input",
    family="gradient",
    summary="No input of a reentrant checkpoint requires a gradient, and the checkpoint keeps no graph.",
    severity="error",
)


def match(case: Case) -> Evidence | None:
    """Holds where an adapter saw it."""
    return observed(case, META)
