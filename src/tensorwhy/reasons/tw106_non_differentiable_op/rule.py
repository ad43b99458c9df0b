"""TW106 non-differentiable-op: an operation on the path has no gradient."""

from __future__ import annotations

from tensorwhy.diagnosis.asked import source_words, target_words
from tensorwhy.diagnosis.gradient import evidence, marked
from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.model.report import Fix

META = ReasonMeta(
    code="TW106",
    slug="non-differentiable-op",
    family="gradient",
    summary=(
        "An operation on the path has no gradient: none is registered for it, or it is registered as not "
        "differentiable."
    ),
)


def match(case: Case) -> Evidence | None:
    """Holds for an operation whose gradient the installed framework says is None for every input."""
    fact = case.fact
    if (
        not isinstance(fact, GradientBreak)
        or fact.kind not in ("no-gradient", "unregistered")
        or fact.container
        or fact.within_gradient
    ):
        return None
    target = target_words(case.sources, fact.question)
    source = source_words(case.sources, fact.question, fact.sources[0])
    why = (
        f"no gradient is registered for {fact.op}"
        if fact.kind == "unregistered"
        else f"{fact.op} is not differentiable"
    )
    return evidence(
        case,
        fact,
        message=f"the gradient of {target} with respect to {source} is None: {why}",
        label=f"{fact.op} gives no gradient here",
        related=marked(fact.source_made, "the source is made here", "source"),
        fixes=(Fix(summary=f"use a differentiable function in place of {fact.op}"),),
    )
