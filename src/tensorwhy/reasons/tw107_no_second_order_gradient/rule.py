"""TW107 no-second-order-gradient: the first gradient exists, its own gradient does not."""

from __future__ import annotations

from tensorwhy.diagnosis.gradient import evidence, source_made, what
from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.model.report import Fix

META = ReasonMeta(
    code="TW107",
    slug="no-second-order-gradient",
    family="gradient",
    summary="The first gradient exists, but it does not depend differentiably on the source.",
    keeps_value=True,
)


def match(case: Case) -> Evidence | None:
    """Holds when the path is lost inside another gradient, or when that gradient does not depend on the source.

    A tangent is a first gradient, too.
    """
    fact = case.fact
    if isinstance(fact, GradientBreak) and fact.kind == "called-tangent":
        return evidence(
            case,
            fact,
            message=f"{what(case, fact)}: no tape records the tangent that the call of a traced function gives",
            label="the tangent that this call gives has no gradient of its own",
            related=source_made(case, fact),
            fixes=(Fix(summary="call the function without `tf.function` where the gradient of a tangent is wanted"),),
        )
    if (
        not isinstance(fact, GradientBreak)
        or not fact.within_gradient
        or fact.kind not in ("no-gradient", "unregistered", "index-input", "unused")
    ):
        return None
    if fact.kind == "unused":
        return evidence(
            case,
            fact,
            location=fact.gradient_of,
            message=f"{what(case, fact)}: the first gradient does not depend on it, "
            "as the function is linear in what it was differentiated by",
            label="this gradient is a constant",
            related=source_made(case, fact),
            fixes=(
                Fix(
                    summary="take None for what it is here, a zero: `unconnected_gradients='zero'`",
                    caveat="unless the function should not be linear: in that case look for a missing activation",
                ),
            ),
        )
    return evidence(
        case,
        fact,
        message=f"{what(case, fact)}: {fact.op}, a part of the first gradient, has no gradient itself",
        label="the gradient of this operation has no gradient of its own",
        related=source_made(case, fact),
        fixes=(Fix(summary="write this operation with others whose gradients can be differentiated again"),),
    )
