"""TW105 integer-dtype: the value became an integer, a boolean or a string on its way."""

from __future__ import annotations

from tensorwhy.diagnosis.asked import source_words, target_words
from tensorwhy.diagnosis.gradient import evidence, marked
from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.model.report import Fix

META = ReasonMeta(
    code="TW105",
    slug="integer-dtype",
    family="gradient",
    summary=(
        "The path passes through an integer, boolean or string dtype, and gradients only pass through "
        "floating and complex ones."
    ),
)


def match(case: Case) -> Evidence | None:
    """Holds when a differentiable value becomes one of another kind, or when the source or all targets are of one."""
    fact = case.fact
    if not isinstance(fact, GradientBreak) or fact.kind != "dtype":
        return None
    target = target_words(case.sources, fact.question)
    source = source_words(case.sources, fact.question, fact.sources[0])
    before, after = fact.dtypes
    if not after:
        why, label = f"its dtype is {before}", f"{before} is not a dtype that gradients pass through"
        fix = Fix(summary="make it floating point, for instance with `dtype=tf.float32`")
    else:
        why, label = f"the value becomes {after} on the way", f"{before} becomes {after} here"
        fix = Fix(
            summary=f"stay in {before}: leave the cast out, or cast only what the loss does not depend on",
            caveat="wrong where rounding is meant: then use a straight-through estimator",
        )
    return evidence(
        case,
        fact,
        message=f"the gradient of {target} with respect to {source} is None: {why}",
        label=label,
        related=marked(fact.source_made, "the source is made here", "source"),
        fixes=(fix,),
    )
