"""TW107 no-second-order-gradient: the first gradient exists, its own gradient does not."""

from __future__ import annotations

from tensorwhy.diagnosis.gradient import evidence, source_made, what
from tensorwhy.diagnosis.operations import as_written
from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.model.facts.gradient import NotPassed, Unused
from tensorwhy.model.report import Fix

META = ReasonMeta(
    code="TW107",
    slug="no-second-order-gradient",
    family="gradient",
    summary="The first gradient exists, but it has no gradient with respect to the source.",
    keeps_value=True,
)


def match(case: Case) -> Evidence | None:
    """Holds when the path is lost inside another gradient, or when that gradient does not depend on the source.

    A tangent is a first gradient, too.
    """
    fact = case.fact
    if isinstance(fact, NotPassed) and fact.kind == "called-tangent":
        return evidence(
            case,
            fact,
            message=f"{what(case, fact)}: the tangent of a traced function is not recorded by any tape",
            label="the tangent of this call has no gradient",
            related=source_made(case, fact),
            fixes=(Fix(summary="call the function without `tf.function` to get the gradient of a tangent"),),
        )
    if (
        not isinstance(fact, (NotPassed, Unused))
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
            "because the function is linear in its input",
            label="this gradient is a constant",
            related=source_made(case, fact),
            fixes=(
                Fix(
                    summary="treat None as zero, which it is here: pass `unconnected_gradients='zero'`",
                    caveat="unless the function should not be linear: in that case look for a missing activation",
                ),
            ),
        )
    op = as_written(fact.op, fact.location, case.sources)
    return evidence(
        case,
        fact,
        message=f"{what(case, fact)}: the first gradient uses {op}, which has no second derivative",
        label="the gradient of this operation has no gradient itself",
        related=source_made(case, fact),
        fixes=(Fix(summary="replace this operation by operations that can be differentiated twice"),),
    )
