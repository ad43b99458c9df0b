"""TW109 sparse-op: a sparse, ragged or string operation has no gradient for this input."""

from __future__ import annotations

from tensorwhy.diagnosis.gradient import evidence
from tensorwhy.diagnosis.operations import as_written
from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.gradient import NotPassed
from tensorwhy.model.report import Fix

META = about(__name__, summary="A sparse, ragged or string operation has no gradient for this input.", keeps_value=True)


def match(case: Case) -> Evidence | None:
    """Holds for an operation on sparse, ragged or string values whose gradient is None."""
    fact = case.fact
    if (
        not isinstance(fact, NotPassed)
        or fact.kind not in ("no-gradient", "unregistered")
        or not fact.container
        or fact.within_gradient
    ):
        return None
    op = as_written(fact.op, fact.location, case.sources)
    return evidence(
        case,
        fact,
        why=f"{op} works on {fact.container} values, and has no gradient",
        label=f"{op} blocks the gradient",
        fixes=(Fix(summary=_remedy(fact.container)),),
    )


def _remedy(container: str) -> str:
    if container == "string":
        return "keep the number as well as its text, because a string has no gradient"
    return "convert it to a dense tensor first, or compute with its `.values`"
