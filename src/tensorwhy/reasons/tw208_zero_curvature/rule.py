"""TW208 zero-curvature: a second gradient of functions that are made of straight pieces."""

from __future__ import annotations

from tensorwhy.diagnosis import signal
from tensorwhy.diagnosis.asked import source_words, target_words
from tensorwhy.diagnosis.gradient import marked
from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.signal import SignalBreak
from tensorwhy.model.facts.zero import NoCurvature
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix, TensorRef

META = about(
    __name__,
    summary="A second derivative passes only through piecewise linear functions such as ReLU: it is zero everywhere.",
    severity="warning",
)


def match(case: Case) -> Evidence | None:
    """Holds when each way of a second gradient is closed by what the gradient of an operation is."""
    straight = signal.of_kind(case, "zero", ("straight",))
    if straight is not None:
        return _once(case, straight)
    fact = case.fact
    if not isinstance(fact, NoCurvature) or not fact.straight:
        return None
    target = target_words(case.sources, fact.question)
    source = source_words(case.sources, fact.question, fact.question.sources[0])
    layer = f" of layer `{fact.layer_name}`" if fact.layer_name else ""
    name = fact.op.lower()
    return Evidence(
        message=f"the gradient of {target} with respect to {source} is zero for every element: {target} is itself a "
        f"gradient of a piecewise linear function ({name}), whose second derivative is zero",
        primary=Marked.at(
            fact.straight[0], f"the {name}{layer} is linear on both sides, so its second derivative is zero"
        ),
        related=(
            *(mark for place in fact.straight[1:] for mark in marked(place, "linear as well", "straight")),
            *marked(fact.first, "the first gradient", "first"),
            *marked(fact.question.location, "this is zero for all values", "asked"),
            *marked(fact.trained, "and the loss that is minimized here uses it", "trained"),
        ),
        certainty="proved",
        severity="warning",
        target=TensorRef(name=target.strip("`")),
        source=TensorRef(name=source.strip("`"), kind="tensor"),
        fixes=(
            Fix(
                summary="use a function with curvature: tanh, softplus, swish or sine",
                caveat="unless the second derivative should not count; then leave its term out of the loss",
            ),
        ),
    )


def _once(case: Case, fact: SignalBreak) -> Evidence:
    name = fact.operation.name.removesuffix("Grad").lower()
    return signal.evidence(
        case,
        fact,
        f"it is a second derivative, and the second derivative of a {name} is zero",
        f"the slope of the {name} is constant on each side",
        (Fix(summary="use a function with curvature: tanh, softplus, swish or sine"),),
    )
