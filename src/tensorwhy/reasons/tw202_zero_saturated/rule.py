"""TW202 zero-saturated: an activation that is saturated everywhere passes no gradient."""

from __future__ import annotations

from tensorwhy.diagnosis import signal
from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.signal import SignalBreak
from tensorwhy.model.report import Fix

META = about(
    __name__,
    summary="A sigmoid, tanh, softmax or exponential is at the end of its range for every element, where it is flat.",
    severity="warning",
)


def match(case: Case) -> Evidence | None:
    """Holds when the derivative of a saturating function was zero, in its own precision, for all elements."""
    flat = signal.of_kind(case, "zero", ("saturated",))
    return _flat(case, flat) if flat is not None else None


def _flat(case: Case, fact: SignalBreak) -> Evidence:
    name = signal.operation(case.sources, fact)
    given, made = fact.operation.given, fact.operation.output
    probabilities = fact.operation.trait == "normalize" and made is not None and made.high == 1.0 and made.zeros
    numbers = f"its inputs {signal.span(given)}" if given is not None else "it is at the end of its range"
    if probabilities and made is not None:
        exact = f"its probabilities are exactly 0 or 1 in {made.digits}"
        numbers = f"{numbers}, so {exact}" if given is not None else exact
    own = next(
        (
            each.name.removesuffix(":0")
            for each, held in zip(fact.sources, fact.held_by)
            if given is not None and held == given
        ),
        "",
    )
    return signal.evidence(
        case,
        fact,
        f"{name} is saturated: {numbers}",
        f"flat here: {numbers}",
        (
            Fix(summary=f"start `{own}` with values at which {name} is not flat")
            if own
            else Fix(
                summary="scale the inputs of the model (mean 0, standard deviation 1), or start with smaller weights"
            ),
            *(
                (
                    Fix(
                        summary=f"or leave {name} out, and compute the loss from its inputs, the logits",
                        caveat="unless the targets are not classes",
                    ),
                )
                if fact.operation.trait == "normalize"
                else ()
            ),
        ),
    )
