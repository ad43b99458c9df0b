"""A parameter of a distribution with values that it does not take."""

from __future__ import annotations

import torch

from tensorwhy.adapters.refusal.described import Native
from tensorwhy.adapters.stack import Stack


def find(stack: Stack) -> Native | None:
    """The parameter, how many of its numbers are refused, and why."""
    found = stack.first("init__", "distributions/distribution.py")
    if found is None or found[1] is not stack.raised:
        return None
    frame = found[1]
    thing, constraint = frame.local("value"), frame.local("constraint")
    if not isinstance(thing, torch.Tensor) or not thing.is_floating_point() or not thing.numel():
        return None
    with torch.no_grad(), torch._C.DisableTorchFunction():
        lost = int(thing.isnan().sum())
        refused = int((~constraint.check(thing)).sum())
        least, largest = (float(each) for each in thing[~thing.isnan()].aminmax()) if lost < thing.numel() else (0, 0)
    advice: tuple[str, ...] = ("find out where the NaN comes from: these numbers already contain it",)
    said = f"{lost} of these {thing.numel()} numbers are NaN"
    if not lost:
        said = f"these {thing.numel()} numbers are between {least:.4g} and {largest:.4g}, and {refused} do not fit"
        advice = _advice(constraint)
    return Native(
        thing=thing,
        by=f"torch: {type(frame.local('self')).__name__}",
        requires=f"{_named(constraint)}; {said}",
        advice=advice,
    )


def _named(constraint: object) -> str:
    lower, upper = getattr(constraint, "lower_bound", None), getattr(constraint, "upper_bound", None)
    if lower is not None and upper is None:
        return f"numbers {'above' if 'Eq' not in type(constraint).__name__ else 'from'} {lower}"
    return f"numbers that fit `{constraint}`"


def _advice(constraint: object) -> tuple[str, ...]:
    positive = getattr(constraint, "lower_bound", None) == 0 and getattr(constraint, "upper_bound", None) is None
    return ("make them positive: `torch.nn.functional.softplus({}) + 1e-4`, or `{}.exp()`",) if positive else ()
