"""TW106 non-differentiable-op: an operation on the path has no gradient."""

from __future__ import annotations

import ast

from tensorwhy.diagnosis.gradient import evidence
from tensorwhy.diagnosis.operations import as_written
from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.gradient import NotPassed

META = about(
    __name__,
    summary="An operation on the path has no gradient: none is registered for it, or its gradient is always None.",
    keeps_value=True,
)


def match(case: Case) -> Evidence | None:
    """Match an operation without a gradient in the installed framework, for every input or for this one."""
    fact = case.fact
    if (
        not isinstance(fact, NotPassed)
        or fact.kind not in ("no-gradient", "no-tangent", "unregistered")
        or fact.container
        or fact.within_gradient
    ):
        return None
    op = as_written(fact.op, fact.location, case.sources)
    why = {
        "no-gradient": f"{op} has no gradient" + (f" for its input `{fact.argument}`" if fact.argument else ""),
        "no-tangent": f"{op} has no tangent in forward mode",
        "unregistered": f"TensorFlow has no gradient for {op}",
    }[fact.kind]
    within = f" in layer `{fact.layer_name}`" if fact.layer_name else ""
    label = f"no gradient passes through {op}{within}"
    if loop_over_data(case, fact):
        why = f"the loop over a dataset was traced as one operation, {fact.op}, which has no gradient"
        label = f"while the function is traced, this loop becomes {fact.op}"
    to = f" to its input `{fact.argument}`" if fact.argument else ""
    return evidence(case, fact, why=why, label=f"{label}{to}")


def loop_over_data(case: Case, fact: NotPassed) -> bool:
    """Return whether the operation is a loop of the program, which was converted while its function was traced."""
    statement = case.sources.statement(fact.location) if fact.location is not None else None
    return fact.op.endswith("Dataset") and isinstance(statement, (ast.For, ast.AsyncFor))
