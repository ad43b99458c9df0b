"""TW206 zero-cancelled: the terms cancel by construction: the target does not depend on the source's value."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.diagnosis.zero import evidence, what
from tensorwhy.model.facts.zero import ZeroGradient
from tensorwhy.model.report import Fix

META = ReasonMeta(
    code="TW206",
    slug="zero-cancelled",
    family="zero-gradient",
    summary="Two terms cancel, whatever the values are: a thing minus itself, or a softmax over one element.",
    severity="warning",
)


def match(case: Case) -> Evidence | None:
    """Holds when an operation has the same tensor on both sides, or normalises over a single element."""
    fact = case.fact
    if not isinstance(fact, ZeroGradient) or fact.kind != "cancelled":
        return None
    if fact.op in ("Sub", "SquaredDifference"):
        why, label = "a tensor is compared with itself", "the same tensor on both sides: the difference is always zero"
        fix = Fix(summary="compare it with the other tensor that was meant")
    elif fact.op in ("RealDiv", "Div", "DivNoNan"):
        why, label = "a tensor is divided by itself", "the same tensor on both sides: the quotient is always one"
        fix = Fix(summary="divide by the other tensor that was meant")
    else:
        layer = f" of layer `{fact.layer_name}`" if fact.layer_name else ""
        why = f"a softmax{layer} over one element is always one"
        label = f"the softmax{layer} runs over one element, and gives 1 for every input"
        fix = Fix(summary="for two classes use one unit with a sigmoid, or two units with a softmax")
    return evidence(case, fact, message=f"{what(case, fact)}: {why}", label=label, fixes=(fix,))
