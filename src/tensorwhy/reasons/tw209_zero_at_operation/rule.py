"""TW209 zero-at-operation: a flowing gradient comes into an operation, and it hands zeros on."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.diagnosis.signal import evidence, of_kind, operation, span
from tensorwhy.model.report import Fix

META = ReasonMeta(
    code="TW209",
    slug="zero-at-operation",
    family="zero-gradient",
    summary="A gradient reaches this operation, and none of it goes on: what it hands back is zero in every element.",
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
        f"it is lost at {name}, which gets a gradient and hands back zeros",
        f"a gradient comes in here, and zeros go on{numbers}",
        (
            Fix(
                summary=f"check what {name} is given: for these values its slope is zero in every element",
                caveat="a part of the model that takes no part for these samples rightly gets zeros",
            ),
        ),
    )
