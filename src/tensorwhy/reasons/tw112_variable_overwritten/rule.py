"""TW112 variable-overwritten: the name of a variable was bound to a tensor computed from it."""

from __future__ import annotations

from tensorwhy.diagnosis.gradient import evidence, marked, what
from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.model.report import Fix

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
    return evidence(
        case,
        fact,
        location=fact.rebound,
        message=(
            f"{what(case, fact)}: it is no longer the variable "
            f"`{fact.was.name}` but a plain tensor, which tapes do not watch by themselves"
        ),
        label="here the name is given to a plain tensor",
        related=marked(fact.was.created, "the variable is made here", "variable"),
        fixes=(Fix(summary="change the variable in place, with `assign`, `assign_add` or `assign_sub`"),),
    )
