"""TW111 python-callback: the value went through a Python function called by TensorFlow."""

from __future__ import annotations

from tensorwhy.diagnosis.gradient import evidence, source_of, target_of
from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.gradient import GradientBreak

META = about(
    __name__,
    summary="The value passes through `numpy_function` or `py_function` in a way that has no gradient.",
    keeps_value=True,
)


def match(case: Case) -> Evidence | None:
    """Holds for an operation that calls back into Python and has no gradient."""
    fact = case.fact
    if not isinstance(fact, GradientBreak) or fact.kind != "callback":
        return None
    if fact.question.in_callback and not fact.sources[0].differentiable_dtype:
        return _no_float(case, fact)
    return evidence(
        case,
        fact,
        why="it passes through a Python function that TensorFlow cannot differentiate",
        label="this Python function blocks the gradient",
    )


def _no_float(case: Case, fact: GradientBreak) -> Evidence:
    given = f"{source_of(case, fact)} is {fact.sources[0].dtype}"
    return evidence(
        case,
        fact,
        message=f"the gradient of {target_of(case, fact)} cannot be computed: {given}, and TensorFlow "
        "cannot create a zero gradient of that dtype",
        label=given,
        related=(),
    )
