"""TW111 python-callback: the value went through a Python function called by TensorFlow."""

from __future__ import annotations

from tensorwhy.diagnosis.asked import source_words, target_words
from tensorwhy.diagnosis.gradient import evidence, marked
from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.model.report import Fix

META = ReasonMeta(
    code="TW111",
    slug="python-callback",
    family="gradient",
    summary="The path goes through numpy_function or py_function in a way that carries no gradient.",
)


def match(case: Case) -> Evidence | None:
    """Holds for an operation that calls back into Python and has no gradient."""
    fact = case.fact
    if not isinstance(fact, GradientBreak) or fact.kind != "callback":
        return None
    target = target_words(case.sources, fact.question)
    source = source_words(case.sources, fact.question, fact.sources[0])
    return evidence(
        case,
        fact,
        message=(
            f"the gradient of {target} with respect to {source} is None: {fact.op} calls a Python "
            "function that TensorFlow cannot differentiate"
        ),
        label="no gradient passes through this Python function",
        related=marked(fact.source_made, "the source is made here", "source"),
        fixes=(
            Fix(
                summary=(
                    "write the function with TensorFlow operations, or call it by `tf.py_function` if it "
                    "uses only those"
                )
            ),
        ),
    )
