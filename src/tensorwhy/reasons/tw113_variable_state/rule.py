"""TW113 variable-state: the value travelled through the state of a variable."""

from __future__ import annotations

from tensorwhy.diagnosis.asked import source_words, target_words
from tensorwhy.diagnosis.gradient import evidence, marked
from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.model.report import Fix

META = ReasonMeta(
    code="TW113",
    slug="variable-state",
    family="gradient",
    summary="The value was stored in a variable and read again: state carries no gradient.",
)


def match(case: Case) -> Evidence | None:
    """Holds when the only way is an assignment to a variable that is read later."""
    fact = case.fact
    if not isinstance(fact, GradientBreak) or fact.kind != "state":
        return None
    target = target_words(case.sources, fact.question)
    source = source_words(case.sources, fact.question, fact.sources[0])
    return evidence(
        case,
        fact,
        message=(
            f"the gradient of {target} with respect to {source} is None: it only reaches the target "
            "through the state of a variable"
        ),
        label="stored in a variable here: only the value gets through",
        related=marked(fact.source_made, "the source is made here", "source"),
        fixes=(Fix(summary="use the tensor itself, and assign it to the variable beside that"),),
    )
