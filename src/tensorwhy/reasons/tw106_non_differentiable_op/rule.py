"""TW106 non-differentiable-op: an operation on the path has no gradient."""

from __future__ import annotations

from tensorwhy.diagnosis.gradient import evidence, source_made, what
from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.model.facts.gradient import GradientBreak

META = ReasonMeta(
    code="TW106",
    slug="non-differentiable-op",
    family="gradient",
    summary="An operation on the path has no gradient: none is registered for it, or its gradient is always None.",
    keeps_value=True,
)


def match(case: Case) -> Evidence | None:
    """Holds for an operation whose gradient the installed framework says is None, for every input or for this one."""
    fact = case.fact
    if (
        not isinstance(fact, GradientBreak)
        or fact.kind not in ("no-gradient", "no-tangent", "unregistered")
        or fact.container
        or fact.within_gradient
    ):
        return None
    why = {
        "no-gradient": f"{fact.op} has no gradient for its input `{fact.argument}`"
        if fact.argument
        else f"the gradient of {fact.op} is None",
        "no-tangent": f"{fact.op} hands no tangent on, whatever it is given",
        "unregistered": f"TensorFlow has no gradient for {fact.op}",
    }[fact.kind]
    within = f" in layer `{fact.layer_name}`" if fact.layer_name else ""
    to = f" to its input `{fact.argument}`" if fact.argument else ""
    return evidence(
        case,
        fact,
        message=f"{what(case, fact)}: {why}",
        label=f"no gradient passes through {fact.op}{within}{to}",
        related=source_made(case, fact),
    )
