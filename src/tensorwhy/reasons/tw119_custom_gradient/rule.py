"""TW119 custom-gradient: a custom gradient gave None."""

from __future__ import annotations

from tensorwhy.diagnosis.gradient import evidence, marked, source_made, what
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
    """Holds when the backward function of a custom gradient was seen to return None for this input, or is not asked."""
    fact = case.fact
    if not isinstance(fact, GradientBreak) or fact.kind != "custom-gradient":
        return None
    if fact.role == "recomputed":
        return evidence(
            case,
            fact,
            message=f"{what(case, fact)}: a recomputed function used what comes from it, and did not get it as an "
            "argument",
            label="gives gradients to the arguments of the function, and to variables, alone",
            related=[*source_made(case, fact), *marked(fact.entry, "used here, and no argument", "used")],
        )
    if fact.role == "closure":
        return evidence(
            case,
            fact,
            message=f"{what(case, fact)}: a function with a custom gradient used what comes from it, and did not get "
            "it as an argument",
            label="used here, and no argument of the function: its custom gradient has none for it",
            related=source_made(case, fact),
        )
    return evidence(
        case,
        fact,
        message=f"{what(case, fact)}: the custom gradient of `{fact.op}` returned None for it",
        label=f"the custom gradient of `{fact.op}` gives None here",
        related=source_made(case, fact),
    )
