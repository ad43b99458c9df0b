"""TW209 zero-at-operation: a flowing gradient comes into an operation, and it hands zeros on."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.diagnosis.signal import evidence, of_kind, operation, span
from tensorwhy.model.report import Fix

META = ReasonMeta(
    code="TW209",
    slug="zero-at-operation",
    family="zero-gradient",
    summary="A gradient reaches this operation, but the gradient that it passes on is zero for every element.",
    severity="warning",
)


def match(case: Case) -> Evidence | None:
    """Hold for a break of the signal of which no other reason says why."""
    fact = of_kind(case, "zero", ("unknown", "given"))
    if fact is None:
        return None
    name = operation(case.sources, fact)
    given = fact.inputs[fact.at] if fact.at < len(fact.inputs) else None
    numbers = f" (its {given.size} input values {span(given)})" if given is not None and given.size else ""
    return evidence(
        case,
        fact,
        f"{name} receives a gradient and passes on zeros",
        f"a gradient arrives here, but only zeros are passed on{numbers}",
        (
            Fix(
                summary=f"check the inputs of {name}: for these values, its slope is zero in every element",
                caveat="a part of the model that these samples do not use correctly gets zeros",
            ),
        ),
    )
