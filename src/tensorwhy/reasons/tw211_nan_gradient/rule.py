"""TW211 nan-gradient: a gradient is NaN or infinite, and this is the operation that made it so."""

from __future__ import annotations

import msgspec

from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.diagnosis.signal import evidence, of_kind, operation, span, spans
from tensorwhy.model.facts.signal import SMALLEST, Made, Numbers, SignalBreak
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix

META = about(
    __name__,
    summary="A gradient is NaN or infinite: an operation has an infinite slope, or its result is not finite.",
    severity="warning",
)
_SHORT = 60
_INPUTS = 3
"""So many inputs are told."""


def match(case: Case) -> Evidence | None:
    """Hold where something that is not finite begins at an operation, in the values or in the gradients."""
    fact = of_kind(
        case, "non-finite", ("infinite-slope", "masked-infinity", "undefined", "overflow", "given", "vanished")
    )
    if fact is None:
        return None
    name = operation(case.sources, fact)
    if fact.why == "vanished" and fact.zeros is not None:
        return _vanished(case, fact, fact.zeros, name)
    if fact.why == "given" and fact.zeros is not None and fact.zeros.location is not None:
        return _written(case, fact, fact.zeros.location, fact.zeros.unseen, name)
    why, label = _said(fact, name)
    skipped = "; the optimizer skips every step because of it, so nothing is trained" if fact.seen.skipped else ""
    mask = fact.zeros.location if fact.zeros is not None and fact.why in ("undefined", "masked-infinity") else None
    related = (Marked.at(mask, "infinity is put in here for what is masked", "mask"),) if mask is not None else ()
    return evidence(case, fact, why + skipped, label, fact.fixes or _fixes(fact, name), related=related)


def _vanished(case: Case, fact: SignalBreak, made: Made, name: str) -> Evidence:
    """A number that should keep a value away from zero, and is zero itself in its dtype."""
    digits = next(each.digits for each in made.inputs if each is not None and each.digits in SMALLEST)
    what = "NaN" if fact.operation.output is not None and fact.operation.output.nans else "infinity"
    return evidence(
        case,
        fact,
        f"the number that is added before {name} is 0 in {digits}, so {name} gives {what}",
        f"the number added here is 0: {digits} rounds what is below {SMALLEST[digits]:.0e} to 0",
        (
            Fix(summary=f"add a number that {digits} has: 1e-4"),
            Fix(summary=fact.wording.wide),
        ),
        location=made.location,
        related=(Marked.at(fact.location, f"{name} is given 0 here", "given"),) if fact.location is not None else (),
    )


def _written(case: Case, fact: SignalBreak, at: Location, unseen: bool, name: str) -> Evidence:
    """NaN that the program itself writes into a tensor."""
    text = case.sources.expression(at)
    what = f"`{text}`" if 0 < len(text) <= _SHORT else "a value"
    given = (Marked.at(fact.location, f"{_bad(_mine(fact))} of its inputs are NaN", "given"),) if fact.location else ()
    found = evidence(
        case,
        fact,
        f"the input of {name} holds NaN, and {what} writes NaN on line {at.line}",
        "NaN is written into a tensor here",
        (
            Fix(
                summary=f"write NaN only into what is new: check which tensors line {at.line} reaches, and when",
                caveat="unless NaN should mark what is missing; then leave it out before it is used",
            ),
        ),
        location=at,
        related=given,
    )
    if not unseen:
        return found
    doubt = "it is the only line here that writes NaN, but that call was not recorded"
    return msgspec.structs.replace(found, certainty="likely", doubt=doubt)


def _said(fact: SignalBreak, name: str) -> tuple[str, str]:
    mine = _mine(fact)
    made = fact.operation.output
    if fact.why == "masked-infinity" and fact.zeros is not None:
        masked = next((each for each in fact.operation.inputs if each is not None and each.infinite), None)
        return (
            f"the infinity of a mask goes through {name}, where its gradient is 0: 0 times infinity is NaN",
            f"{_bad(masked)} of its inputs are infinite",
        )
    if fact.why == "masked-infinity" and made is not None and not made.finite:
        return (
            f"{name} overflows, and masking its result does not help: 0 times infinity is NaN",
            f"0 times infinity: {_bad(made)} results are not finite, and are masked only afterwards",
        )
    if fact.why == "masked-infinity":
        return (
            f"{name} has an infinite slope at {_at(mine)}, and masking its result does not help: "
            "0 times infinity is NaN",
            f"0 times infinity: {_count(mine)}, and are masked only afterwards",
        )
    if fact.why == "infinite-slope" and fact.operation.trait == "factorize":
        return (
            f"{name} has no finite slope where two of the values that it finds are equal",
            "two singular values or eigenvalues are equal here",
        )
    if fact.why == "infinite-slope":
        return f"{name} has no finite slope at {_at(mine)}", f"no finite slope here: {_count(mine)}"
    if fact.why == "given":
        return f"the input of {name} is not finite", f"{_bad(mine)} of its inputs are already NaN or infinite"
    if any(each is not None and not each.size for each in fact.operation.inputs):
        return f"{name} is given 0 elements, and returns NaN", "a mean of 0 elements is NaN"
    known = [each for each in fact.operation.inputs if each is not None and each.size]
    infinite = [each for each in known if each.infinite]
    given = spans((infinite or known)[:_INPUTS])
    made = fact.operation.output
    count = _bad(made)
    word, noun = ("NaN", "NaN") if fact.why == "undefined" else ("infinite", "infinity")
    first = f", the first {fact.element}" if fact.element else ""
    return f"{name} returns {noun}", f"{count} of its results are {word}{first}; its inputs {given}"


def _mine(fact: SignalBreak) -> Numbers | None:
    return fact.operation.given


def _at(numbers: Numbers | None) -> str:
    return "0" if numbers is not None and numbers.zeros else "these values"


def _count(numbers: Numbers | None) -> str:
    if numbers is None:
        return "its inputs are at such a value"
    if numbers.zeros:
        return f"{numbers.zeros} of {numbers.size} inputs are 0"
    return f"its {numbers.size} inputs {span(numbers)}"


def _bad(numbers: Numbers | None) -> str:
    return f"{numbers.nans + numbers.infinite} of {numbers.size}" if numbers is not None else "some"


def _fixes(fact: SignalBreak, name: str) -> tuple[Fix, ...]:
    if fact.why == "given":
        return (
            Fix(summary=f"check the data for NaN and infinity before the first step ({fact.wording.checked_data})"),
        )
    if fact.why == "masked-infinity" and fact.zeros is not None:
        return (
            Fix(summary=f"mask the result of {name}, not what it is given"),
            Fix(
                summary="or put a large finite number in, such as -1e9",
                caveat="a row in which everything is masked then gets equal shares",
            ),
        )
    if fact.why == "masked-infinity":
        return (
            Fix(
                summary=f"mask the input of {name} too: use `{fact.wording.select}` before it as well as after it",
                caveat=f"`{fact.wording.select}` after it alone hides the value, but not the gradient",
            ),
        )
    if fact.why == "undefined" and fact.zeros is not None:
        return (
            Fix(
                summary="leave something unmasked in each row: check the shape of the mask and which axis it covers",
                caveat="a large negative number in the place of -inf hides rows that have nothing left",
            ),
        )
    if fact.why == "undefined":
        return (
            Fix(
                summary=f"keep {name} from such inputs: 0/0, a mean of nothing, a spread of one value, a root or "
                "logarithm of a negative number, and a softmax over nothing but -inf all give NaN",
            ),
        )
    if fact.operation.trait == "factorize":
        return (
            Fix(
                summary=f"start from values that differ: add a small random matrix to the input of {name}",
                caveat="where the values should become equal, compute the result without these vectors",
            ),
        )
    mine = _mine(fact)
    if mine is not None and mine.digits == "float16":
        return (
            Fix(
                summary=fact.wording.wide,
                caveat="float16 rounds below 6e-8 to 0 and ends at 65504, so a small number added here does not help",
            ),
        )
    return (
        Fix(
            summary=f"keep the input of {name} away from {_at(mine)}: add a small number such as 1e-7 to it",
            caveat="the small number changes results of that size; a mask after this operation does not help: 0 times "
            "infinity is NaN",
        ),
    )
