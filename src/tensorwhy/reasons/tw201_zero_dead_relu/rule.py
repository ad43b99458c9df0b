"""TW201 zero-dead-relu: a ReLU that is zero for every element passes no gradient."""

from __future__ import annotations

from tensorwhy.diagnosis import signal
from tensorwhy.diagnosis.asked import variable_name
from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.signal import SignalBreak
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix

META = about(
    __name__,
    summary="A ReLU returns zero for every element of every sample, so it passes no gradient.",
    severity="warning",
)


def match(case: Case) -> Evidence | None:
    """Match a rectifier that was flat for all of its elements, with something trained before it."""
    closed = signal.of_kind(case, "zero", ("rectified",))
    return _closed(case, closed) if closed is not None else None


def _closed(case: Case, fact: SignalBreak) -> Evidence:
    name = signal.operation(case.sources, fact)
    given = fact.operation.given
    negative = given is not None and given.size and given.high <= 0
    numbers = f": all {given.size} inputs {signal.span(given)}" if given is not None else ""
    names = _names(case, fact)
    constant, related = "", tuple[Marked, ...]()
    for own, held, source in zip(names, fact.held_by, fact.sources):
        if held is not None and held.size and held.low == held.high < 0 and _is_bias(own):
            constant = f"`{own}` is {signal.short(held.low)} in all {held.size} elements"
            related = (Marked.at(source.made, f"creates `{own}`", "source"),) if source.made is not None else ()
    where = "for negative inputs" if negative else "there"
    fix = _at_zero(names) if constant else f"{_at_zero(names)}, or scale the inputs"
    return signal.evidence(
        case,
        fact,
        f"{name} gets only {'negative inputs' if negative else 'inputs where it is flat'}",
        f"{name} passes no gradient{numbers}",
        _BESIDE_THE_CLAMP
        if fact.operation.name == "Maximum"
        else (Fix(summary=fix), Fix(summary=f"or use a function with a slope {where}, such as a leaky ReLU")),
        related=related,
        notes=(constant,) if constant else (),
    )


def _names(case: Case, fact: SignalBreak) -> list[str]:
    return [variable_name(case.sources, each.name, each.made) for each in fact.sources]


def _is_bias(name: str) -> bool:
    return "bias" in name.rpartition("/")[2].rpartition(".")[2]


def _at_zero(names: list[str]) -> str:
    """What to do about biases, by their names."""
    biases = [f"`{name}`" for name in names if _is_bias(name)]
    return f"start {biases[0]} at zero" if len(biases) == 1 else "start the biases at zero"


_BESIDE_THE_CLAMP = (
    Fix(
        summary="use a function with a slope on both sides: a softplus, or a leaky maximum",
        caveat="if the clamp is meant to block values out of range, add another loss term that pulls them into range",
    ),
)
