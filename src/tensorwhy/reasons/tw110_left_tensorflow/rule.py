"""TW110 left-tensorflow: the value went through NumPy or Python."""

from __future__ import annotations

from tensorwhy.diagnosis.gradient import evidence, marked, what
from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.model.facts.gradient import GradientBreak

META = ReasonMeta(
    code="TW110",
    slug="left-tensorflow",
    family="gradient",
    summary="The value went through NumPy or Python (.numpy(), float(), np.*, a list of floats), "
    "where no tape can follow.",
)


def match(case: Case) -> Evidence | None:
    """Holds when the value left as an array or number and came back as a new tensor."""
    fact = case.fact
    if not isinstance(fact, GradientBreak) or fact.kind != "left-framework":
        return None
    return evidence(
        case,
        fact,
        message=f"{what(case, fact)}: the value left TensorFlow on the way, and came back as a constant",
        label="here it becomes a NumPy or Python value",
        related=marked(fact.entry, "and comes back here as a constant", "comes back"),
    )
