"""TW109 sparse-op: a sparse, ragged or string operation has no gradient for this input."""

from __future__ import annotations

from tensorwhy.diagnosis.asked import source_words, target_words
from tensorwhy.diagnosis.gradient import evidence, marked
from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.model.report import Fix

META = ReasonMeta(
    code="TW109",
    slug="sparse-op",
    family="gradient",
    summary="A sparse, ragged or string operation has no gradient for that input.",
)


def match(case: Case) -> Evidence | None:
    """Holds for an operation on sparse, ragged or string values whose gradient is None."""
    fact = case.fact
    if (
        not isinstance(fact, GradientBreak)
        or fact.kind not in ("no-gradient", "unregistered")
        or not fact.container
        or fact.within_gradient
    ):
        return None
    target = target_words(case.sources, fact.question)
    source = source_words(case.sources, fact.question, fact.sources[0])
    return evidence(
        case,
        fact,
        message=(
            f"the gradient of {target} with respect to {source} is None: {fact.op}, an operation on "
            f"{fact.container} values, has no gradient for it"
        ),
        label=f"{fact.op} gives no gradient here",
        related=marked(fact.source_made, "the source is made here", "source"),
        fixes=(Fix(summary="do this step on dense values"),),
    )
