"""TW104 stop-gradient: somebody asked for the gradient to stop."""

from __future__ import annotations

from tensorwhy.diagnosis.gradient import evidence, source_made, what
from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.model.facts.gradient import GradientBreak

META = ReasonMeta(
    code="TW104",
    slug="stop-gradient",
    family="gradient",
    summary="An explicit stop_gradient stands on the path, in the user's code or in a library's.",
)


def match(case: Case) -> Evidence | None:
    """Holds when an operation on every path is one that stops gradients by definition."""
    fact = case.fact
    if not isinstance(fact, GradientBreak) or fact.kind != "stop-gradient":
        return None
    return evidence(
        case,
        fact,
        message=f"{what(case, fact)}: a `stop_gradient` stands on the way",
        label="the gradient is stopped here",
        related=source_made(case, fact),
    )
