"""TW116 not-trainable: the source is a variable that was made not trainable."""

from __future__ import annotations

from tensorwhy.diagnosis.asked import source_words, target_words
from tensorwhy.diagnosis.gradient import evidence, marked
from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.model.report import Fix

META = ReasonMeta(
    code="TW116",
    slug="not-trainable",
    family="gradient",
    summary="The source is a variable with trainable=False (or of a frozen layer), which tapes do not watch by themselves.",
)


def match(case: Case) -> Evidence | None:
    """Holds when the source is a variable that is known not to be trainable, and was not watched."""
    fact = case.fact
    if (
        not isinstance(fact, GradientBreak)
        or fact.kind != "not-watched"
        or not fact.sources[0].variable
        or fact.sources[0].trainable is not False
    ):
        return None
    target = target_words(case.sources, fact.question)
    source = source_words(case.sources, fact.question, fact.sources[0])
    return evidence(
        case,
        fact,
        location=fact.source_made,
        message=f"the gradient of {target} with respect to {source} is None: the variable is not trainable, so the tape does not watch it by itself",
        label="this variable is not trainable",
        related=marked(fact.tape_opened, "this tape starts recording here", "tape opened"),
        fixes=(Fix(summary="make it trainable, or call `tape.watch` with it, or leave it out of the sources"),),
    )
