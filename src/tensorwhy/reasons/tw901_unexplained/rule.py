"""TW901 unexplained: something was lost, and no rule knows why."""

from __future__ import annotations

from tensorwhy.diagnosis.asked import source_words, target_words
from tensorwhy.diagnosis.gradient import evidence, marked
from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.model.facts.gradient import GradientBreak

META = ReasonMeta(
    code="TW901",
    slug="unexplained",
    family="unexplained",
    summary="Something was lost and no rule matched: what is known of the lineage is shown, and nothing is guessed.",
    severity="warning",
)


def match(case: Case) -> Evidence | None:
    """Holds when a gradient was asked for, is None, and no other reason matched."""
    fact = case.fact
    if not isinstance(fact, GradientBreak):
        return None
    target = target_words(case.sources, fact.question)
    source = source_words(case.sources, fact.question, fact.sources[0])
    return evidence(
        case,
        fact,
        location=fact.question.location,
        message=f"the gradient of {target} with respect to {source} is None, and no known reason explains it",
        label="asked for here",
        related=[
            *marked(fact.source_made, "the source is made here", "source"),
            *marked(fact.target_made, "the target is made here", "target"),
        ],
        notes=(f"recorded between them: {len(fact.path)} operations",) if fact.path else (),
    )
