"""TW604 never-updated: tracked, trainable, given a gradient, and yet never changed."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.diagnosis.training import marks, names, refs
from tensorwhy.model.facts.training import NotTrained
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix

META = ReasonMeta(
    code="TW604",
    slug="never-updated",
    family="variable",
    summary="A trainable variable was given a gradient in each step, others changed, and its value stayed as it was.",
    severity="warning",
)


def match(case: Case) -> Evidence | None:
    """Holds when a variable kept its value although an optimizer was given a gradient for it in every step."""
    fact = case.fact
    if not isinstance(fact, NotTrained) or fact.problem != "never-changed":
        return None
    made = fact.variables[0].created
    primary = made or fact.asked
    if primary is None:
        return None
    found = refs(case, fact)
    return Evidence(
        message=f"{names(case, fact)} never changed in {fact.steps} steps, while {fact.others} others did",
        primary=Marked.at(primary, "its value at the end is the one that it started with" if made else "trained here"),
        related=marks(primary, (fact.asked, "trained here", "asked")),
        certainty="likely",
        source=found[0],
        also=found[1:],
        notes=("its gradient must be zero, or something undoes each update; inside a traced function neither is seen",),
        fixes=(
            Fix(
                summary="look at its constraint, and at masks and conditions on its way to the loss",
                caveat="a variable that these samples do not use has a gradient of zero, and that is right",
            ),
        ),
    )
