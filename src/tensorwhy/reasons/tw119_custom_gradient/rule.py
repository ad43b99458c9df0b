"""TW119 custom-gradient: a custom gradient gave None."""

from __future__ import annotations

from tensorwhy.diagnosis.asked import source_words, target_words
from tensorwhy.diagnosis.gradient import evidence, marked
from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.model.report import Fix

META = ReasonMeta(
    code="TW119",
    slug="custom-gradient",
    family="gradient",
    summary=(
        "A function with a custom gradient returned None for this input, or was given gradients for the wrong inputs."
    ),
)


def match(case: Case) -> Evidence | None:
    """Holds when the backward function of a custom gradient was seen to return None for this input."""
    fact = case.fact
    if not isinstance(fact, GradientBreak) or fact.kind != "custom-gradient":
        return None
    target = target_words(case.sources, fact.question)
    source = source_words(case.sources, fact.question, fact.sources[0])
    return evidence(
        case,
        fact,
        message=(
            f"the gradient of {target} with respect to {source} is None: the custom gradient of "
            f"`{fact.op}` returned None for it"
        ),
        label=f"the custom gradient of `{fact.op}` gives None here",
        related=marked(fact.source_made, "the source is made here", "source"),
        fixes=(Fix(summary="return a gradient for every input of the function, in their order"),),
    )
