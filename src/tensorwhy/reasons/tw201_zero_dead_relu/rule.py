"""TW201 zero-dead-relu: a ReLU that is zero for every element passes no gradient."""

from __future__ import annotations

from tensorwhy.diagnosis import signal
from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.diagnosis.zero import as_it_should_be, evidence, what
from tensorwhy.model.facts.signal import SignalBreak
from tensorwhy.model.facts.zero import ZeroGradient
from tensorwhy.model.report import Fix

META = ReasonMeta(
    code="TW201",
    slug="zero-dead-relu",
    family="zero-gradient",
    summary="A ReLU returns zero for every element of every sample, so it passes no gradient.",
    severity="warning",
)


def match(case: Case) -> Evidence | None:
    """Match a rectifier that was flat for all of its elements, with something trained before it."""
    closed = signal.of_kind(case, "zero", ("rectified",))
    if closed is not None:
        return _closed(case, closed)
    fact = case.fact
    if not isinstance(fact, ZeroGradient) or fact.kind != "dead" or as_it_should_be(fact):
        return None
    layer = f"layer `{fact.layer_name}`" if fact.layer_name else f"this {_name(fact.op)}"
    all_of = f"all {fact.elements} of its outputs are zero" if fact.elements else "all of its outputs are zero"
    return evidence(
        case,
        fact,
        message=f"{what(case, fact)}: the {_name(fact.op)} on its path is dead: it returns zero for every element",
        label=f"{layer} is dead: {all_of}",
        fixes=_BESIDE_THE_CLAMP
        if fact.op == "Maximum"
        else (
            Fix(
                summary="print the input of the ReLU: if it is negative from the first step on, set the biases to zero "
                "or scale the data; if only later, lower the learning rate"
            ),
            Fix(
                summary="use an activation that is not flat below zero (LeakyReLU, ELU, GELU)",
                caveat="this changes the model; a bad initialization or learning rate can still hurt it",
            ),
        ),
    )


def _closed(case: Case, fact: SignalBreak) -> Evidence:
    name = signal.operation(case.sources, fact)
    given = fact.inputs[fact.at]
    numbers = f": all {given.size} inputs {signal.span(given)}" if given is not None else ""
    return signal.evidence(
        case,
        fact,
        f"{name} on its path is flat for every element",
        f"{name} passes no gradient{numbers}",
        (Fix(summary="start with smaller or zero biases, scale the inputs, or use a function that is not flat there"),),
    )


_BESIDE_THE_CLAMP = (
    Fix(
        summary="use a function with a slope on both sides: a softplus, or a leaky maximum",
        caveat="if the clamp is meant to block values out of range, add another loss term that pulls them into range",
    ),
)


def _name(op: str) -> str:
    return {"Maximum": "`maximum` with zero", "Relu6": "ReLU6", "Elu": "ELU"}.get(op, "ReLU")
