"""TW203 zero-rounded-or-clipped: a step function on the path, or a clip whose input is always outside its limits."""

from __future__ import annotations

from tensorwhy.diagnosis import signal
from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.signal import SignalBreak
from tensorwhy.model.report import Fix

META = about(
    __name__,
    summary="A step function, or a clip that cuts off every element, is on the path: both are flat.",
    severity="warning",
)


def match(case: Case) -> Evidence | None:
    """Holds for operations whose gradient is zero by definition, and for limits that every element is beyond."""
    limited = signal.of_kind(case, "zero", ("outside", "inside", "flat"))
    return _limited(case, limited) if limited is not None else None


def _limited(case: Case, fact: SignalBreak) -> Evidence:
    name, limits = signal.operation(case.sources, fact), signal.interval(fact.operation.limits)
    given = fact.operation.inputs[0] if fact.operation.inputs else None
    numbers = f"all {given.size} inputs {signal.span(given)}" if given is not None else "all inputs"
    if fact.why == "flat":
        fix = Fix(
            summary=f"use a straight-through estimator: `{fact.wording.straight_through}`, or a smooth function",
            caveat="a straight-through estimator trains with a gradient that is not the true one",
        )
        return signal.evidence(case, fact, f"{name} is flat", f"the slope of {name} is zero for every input", (fix,))
    if fact.why == "inside":
        fix = Fix(
            summary="start with limits inside the range of the values, or set them from the data",
            caveat="limits that only guard against outliers can stay as they are",
        )
        why = f"{numbers}, and a limit of {name} gets a gradient only from values beyond it"
        return signal.evidence(case, fact, why, f"no value reaches {limits}: {numbers}", (fix,))
    fix = (
        Fix(
            summary="bring what these probabilities are computed from nearer to 0: scale the inputs of the model to "
            "mean 0 and standard deviation 1",
            caveat="these limits only keep 0 and 1 away from what follows, so leave them as they are",
        )
        if signal.guards(fact)
        else Fix(
            summary="choose limits that contain the values, or leave the limits out while training",
            caveat="if the values themselves are wrong (scale, units), scale them instead",
        )
    )
    count = f"all {given.size} values" if given is not None else "all values"
    why = f"{name} cuts off {count}, so no gradient passes"
    values = (
        f"the values {signal.span(given)}, outside {limits}"
        if given is not None
        else f"all values are outside {limits}"
    )
    return signal.evidence(case, fact, why, values, (fix,))
