"""TW106 non-differentiable-op: an operation on the path has no gradient."""

from __future__ import annotations

import ast

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
    label = f"no gradient passes through {fact.op}{within}"
    if loop_over_data(case, fact):
        why = f"the loop over a dataset was traced as one operation, {fact.op}, which has no gradient"
        label = f"while the function is traced, this loop becomes {fact.op}"
    to = f" to its input `{fact.argument}`" if fact.argument else ""
    return evidence(
        case,
        fact,
        message=f"{what(case, fact)}: {why}",
        label=f"{label}{to}",
        related=source_made(case, fact),
    )


def loop_over_data(case: Case, fact: GradientBreak) -> bool:
    """Return whether the operation is a loop of the program, which was converted while its function was traced."""
    statement = case.sources.statement(fact.location) if fact.location is not None else None
    return fact.op.endswith("Dataset") and isinstance(statement, (ast.For, ast.AsyncFor))
