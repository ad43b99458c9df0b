"""TW119 custom-gradient: a custom gradient gave None."""

from __future__ import annotations

from tensorwhy.diagnosis.gradient import evidence, source_made, what
from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.model.facts.gradient import GradientBreak

META = ReasonMeta(
    code="TW119",
    slug="custom-gradient",
    family="gradient",
    summary="A function with a custom gradient returned None for this input, "
    "or was given gradients for the wrong inputs.",
    keeps_value=True,
)


def match(case: Case) -> Evidence | None:
    """Holds when the backward function of a custom gradient was seen to return None for this input."""
    fact = case.fact
    if not isinstance(fact, GradientBreak) or fact.kind != "custom-gradient":
        return None
    return evidence(
        case,
        fact,
        message=f"{what(case, fact)}: the custom gradient of `{fact.op}` returned None for it",
        label=f"the custom gradient of `{fact.op}` gives None here",
        related=source_made(case, fact),
    )
