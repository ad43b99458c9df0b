"""TW114 untaken-branch: the branch that uses the source was not taken."""

from __future__ import annotations

from tensorwhy.diagnosis.asked import source_words, target_words
from tensorwhy.diagnosis.gradient import evidence, marked
from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.model.report import Fix

META = ReasonMeta(
    code="TW114",
    slug="untaken-branch",
    family="gradient",
    summary="The branch that uses the source was not taken, so this time the target does not depend on it.",
)


def match(case: Case) -> Evidence | None:
    """Holds when the target does not depend on the source, and a branch in which nothing ran uses it."""
    fact = case.fact
    if not isinstance(fact, GradientBreak) or fact.kind != "untaken-branch":
        return None
    target = target_words(case.sources, fact.question)
    source = source_words(case.sources, fact.question, fact.sources[0])
    return evidence(
        case,
        fact,
        certainty="likely",
        location=fact.untaken,
        message=f"the gradient of {target} with respect to {source} is None: the branch that uses it was not taken",
        label="the branch that uses it was not taken",
        related=marked(fact.source_made, "the source is made here", "source"),
        fixes=(Fix(summary="ask only for what was used, or take the branch"),),
    )
