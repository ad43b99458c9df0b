"""TW115 unused: the target does not depend on the source at all."""

from __future__ import annotations

from tensorwhy.diagnosis.asked import source_words, target_words
from tensorwhy.diagnosis.gradient import evidence, marked
from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.model.facts.gradient import GradientBreak

META = ReasonMeta(
    code="TW115",
    slug="unused",
    family="gradient",
    summary="The target was computed without the source: no operation on the way to the target ever read it.",
)


def match(case: Case) -> Evidence | None:
    """Holds when no recorded operation leads from the source to the target, by value or by state."""
    fact = case.fact
    if not isinstance(fact, GradientBreak) or fact.kind != "unused" or fact.within_gradient or fact.instead:
        return None
    target = target_words(case.sources, fact.question)
    source = source_words(case.sources, fact.question, fact.sources[0])
    return evidence(
        case,
        fact,
        message=f"the gradient of {target} with respect to {source} is None: {target} does not depend on it",
        label=(
            "asked here for a source that the target does not use"
            if fact.location is None
            else "what comes from it ends here: the target uses nothing of this"
        ),
        related=[
            *marked(fact.source_made, "the source is made here", "source"),
            *marked(fact.target_made, "the target is made here", "target"),
        ],
    )
