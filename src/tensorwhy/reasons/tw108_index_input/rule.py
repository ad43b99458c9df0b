"""TW108 index-input: the source only steers an operation: which elements, which branch, which shape."""

from __future__ import annotations

from tensorwhy.diagnosis.asked import source_words, target_words
from tensorwhy.diagnosis.gradient import evidence, marked
from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.model.report import Fix

META = ReasonMeta(
    code="TW108",
    slug="index-input",
    family="gradient",
    summary="The only way in is an index, condition, shape or limit input, and those get no gradient.",
)


def match(case: Case) -> Evidence | None:
    """Holds when the input on the path is one that selects or shapes, and whose gradient is None."""
    fact = case.fact
    if not isinstance(fact, GradientBreak) or fact.kind != "index-input" or fact.within_gradient:
        return None
    target = target_words(case.sources, fact.question)
    source = source_words(case.sources, fact.question, fact.sources[0])
    return evidence(
        case,
        fact,
        message=f"the gradient of {target} with respect to {source} is None: it only gives {fact.op} its {fact.role}",
        label=f"used here only as {fact.role} of {fact.op}",
        related=marked(fact.source_made, "the source is made here", "source"),
        fixes=(Fix(summary="let the source enter the result as a value, for instance as a soft weight"),),
    )
