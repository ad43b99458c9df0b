"""TW105 integer-dtype: the value became an integer, a boolean or a string on its way."""

from __future__ import annotations

from tensorwhy.diagnosis.gradient import evidence, source_of
from tensorwhy.diagnosis.operations import as_written
from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.gradient import NotPassed

META = about(
    __name__,
    summary="The path passes through an integer, boolean or string dtype; "
    "gradients pass only through floating point and complex ones.",
)


def match(case: Case) -> Evidence | None:
    """Holds when a differentiable dtype becomes another kind of dtype, or when the source or all targets have one."""
    fact = case.fact
    if not isinstance(fact, NotPassed) or fact.kind != "dtype":
        return None
    before, after = fact.dtypes
    if not after:
        return evidence(
            case,
            fact,
            why=f"its dtype is {before}, and only floating-point values have gradients",
            label=f"{source_of(case, fact)} is {before}",
            related=(),
        )
    if fact.role == "position":
        op = as_written(fact.op, fact.location, case.sources)
        return evidence(
            case,
            fact,
            why=f"only the {after} output of {op} is used",
            label=f"only the {after} output is used: which elements, not their values",
        )
    return evidence(
        case,
        fact,
        why=f"the value is converted to {after}, which has no gradient",
        label=(f"{before} becomes {after} " if before else f"becomes {after} ")
        + (f"in layer `{fact.layer_name}`" if fact.layer_name else "here"),
    )
