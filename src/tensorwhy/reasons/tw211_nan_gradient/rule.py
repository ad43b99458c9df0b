"""TW211 nan-gradient: a gradient is NaN or infinite, and this is the operation that made it so."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.diagnosis.signal import evidence, of_kind, operation, span
from tensorwhy.model.facts.signal import Numbers, SignalBreak
from tensorwhy.model.report import Fix

META = ReasonMeta(
    code="TW211",
    slug="nan-gradient",
    family="zero-gradient",
    summary="A gradient is NaN or infinite: an operation has an infinite slope, or its result is no finite number.",
    severity="warning",
)


def match(case: Case) -> Evidence | None:
    """Hold where something that is not finite begins at an operation, in the values or in the gradients."""
    fact = of_kind(case, "non-finite", ("infinite-slope", "masked-infinity", "undefined", "overflow", "given"))
    if fact is None:
        return None
    name = operation(case.sources, fact)
    why, label = _said(fact, name)
    skipped = "; every step is left out because of it, and nothing is trained" if fact.skipped else ""
    return evidence(case, fact, why + skipped, label, _fixes(fact, name))


def _said(fact: SignalBreak, name: str) -> tuple[str, str]:
    mine = fact.inputs[fact.at] if fact.at < len(fact.inputs) else None
    if fact.why == "masked-infinity":
        return (
            f"{name} has an infinite slope at {_at(mine)}, and the zero that comes back from behind it does not help: "
            "0 times infinity is NaN",
            f"0 times infinity: {_count(mine)}, and are masked out only after it",
        )
    if fact.why == "infinite-slope":
        return f"{name} has no finite slope at {_at(mine)}", f"no finite slope here: {_count(mine)}"
    if fact.why == "given":
        return f"{name} is given numbers that are not finite", f"{_bad(mine)} of what comes in is not finite already"
    given = " and ".join(span(each) for each in fact.inputs if each is not None and each.size)
    made = fact.output
    count = _bad(made)
    word, noun = ("NaN", "NaN") if fact.why == "undefined" else ("infinite", "infinity")
    return f"{name} gives {noun}", f"{count} of its results are {word}; its inputs {given}"


def _at(numbers: Numbers | None) -> str:
    return "0" if numbers is not None and numbers.zeros else "these values"


def _count(numbers: Numbers | None) -> str:
    if numbers is None:
        return "its inputs are at such a value"
    if numbers.zeros:
        return f"{numbers.zeros} of {numbers.size} inputs are 0"
    return f"its {numbers.size} inputs {span(numbers)}"


def _bad(numbers: Numbers | None) -> str:
    return f"{numbers.nans + numbers.infinite} of {numbers.size}" if numbers is not None else "a part"


def _fixes(fact: SignalBreak, name: str) -> tuple[Fix, ...]:
    if fact.why == "given":
        return (
            Fix(summary="check the data for NaN and infinity before the first step (`tf.debugging.check_numerics`)"),
        )
    if fact.why == "masked-infinity":
        return (
            Fix(
                summary=f"choose a safe input before {name}, with a `tf.where` in front of it as well as behind",
                caveat="a `tf.where` behind it alone hides the value, and not the gradient",
            ),
        )
    return (
        Fix(
            summary=f"keep what {name} is given away from there: add a small number inside of it, or clip it",
            caveat="the small number changes the result where the values are as small",
        ),
    )
