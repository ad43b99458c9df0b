"""TW107 no-second-order-gradient: the first gradient exists, its own gradient does not."""

from __future__ import annotations

from tensorwhy.diagnosis.asked import source_words, target_words
from tensorwhy.diagnosis.gradient import evidence, marked
from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.model.facts.gradient import GradientBreak

META = ReasonMeta(
    code="TW107",
    slug="no-second-order-gradient",
    family="gradient",
    summary="The first gradient exists, but it does not depend differentiably on the source.",
)


def match(case: Case) -> Evidence | None:
    """Holds when the path is lost while computing another gradient, or where that does not depend on the source."""
    fact = case.fact
    if (
        not isinstance(fact, GradientBreak)
        or not fact.within_gradient
        or fact.kind not in ("no-gradient", "unregistered", "unused")
    ):
        return None
    target = target_words(case.sources, fact.question)
    source = source_words(case.sources, fact.question, fact.sources[0])
    if fact.kind == "unused":
        why, label = (
            "the first gradient does not depend on it (the function is linear in it)",
            "this gradient is a constant",
        )
    else:
        why, label = f"{fact.op}, a part of the first gradient, has no gradient itself", "no gradient of this gradient"
    return evidence(
        case,
        fact,
        location=fact.gradient_of if fact.kind == "unused" else fact.location,
        message=f"the gradient of {target} with respect to {source} is None: {why}",
        label=label,
        related=marked(fact.source_made, "the source is made here", "source"),
    )
