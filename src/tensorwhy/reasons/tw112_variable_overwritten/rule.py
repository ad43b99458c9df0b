"""TW112 variable-overwritten: the name of a variable was bound to a tensor computed from it."""

from __future__ import annotations

from tensorwhy.diagnosis.gradient import evidence, marked, source_of, what
from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.model.facts.gradient import GradientBreak

META = ReasonMeta(
    code="TW112",
    slug="variable-overwritten",
    family="gradient",
    summary="The name was rebound from a Variable to a Tensor, and tapes do not watch plain tensors by themselves.",
)


def match(case: Case) -> Evidence | None:
    """Holds when the unwatched source is a plain tensor that took over the name of a variable it was computed from."""
    fact = case.fact
    if not isinstance(fact, GradientBreak) or fact.kind != "not-watched" or fact.was is None:
        return None
    name = source_of(case, fact)
    return evidence(
        case,
        fact,
        location=fact.rebound,
        message=f"{what(case, fact)}: by now it is a plain tensor that was computed from the variable, "
        "and tapes do not watch plain tensors by themselves",
        label=f"here {name} becomes a plain tensor",
        related=marked(fact.was.created, "the variable is made here", "variable"),
    )
