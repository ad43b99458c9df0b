"""TW110 left-tensorflow: the value went through NumPy or Python."""

from __future__ import annotations

from tensorwhy.diagnosis.asked import source_words, target_words
from tensorwhy.diagnosis.gradient import evidence, marked
from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.model.report import Fix

META = ReasonMeta(
    code="TW110",
    slug="left-tensorflow",
    family="gradient",
    summary=(
        "The value went through NumPy or Python (.numpy(), float(), np.*, a list of floats), where no tape can follow."
    ),
)


def match(case: Case) -> Evidence | None:
    """Holds when the value left as an array or number and came back as a new tensor."""
    fact = case.fact
    if not isinstance(fact, GradientBreak) or fact.kind != "left-framework":
        return None
    target = target_words(case.sources, fact.question)
    source = source_words(case.sources, fact.question, fact.sources[0])
    return evidence(
        case,
        fact,
        message=(
            f"the gradient of {target} with respect to {source} is None: the value left TensorFlow on the "
            "way, and came back as a constant"
        ),
        label="here it becomes a NumPy or Python value",
        related=[*marked(fact.entry, "and comes back here as a constant", "comes back")],
        fixes=(Fix(summary="compute this step with TensorFlow operations"),),
    )
