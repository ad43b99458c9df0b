"""What the reasons share that name a break of the signal: the words for its numbers, its severity, its place."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from tensorwhy.diagnosis.asked import source_words, target_words
from tensorwhy.diagnosis.operations import written
from tensorwhy.diagnosis.reason import AND_MORE, Case, Evidence
from tensorwhy.model.facts.signal import Made, Numbers, SignalBreak, Why
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.question import Source
from tensorwhy.model.report import Fix, Severity, TensorRef
from tensorwhy.source.files import Sources
from tensorwhy.source.reading import node_at

_WHOLE = (1e3, 1e7)
"""Numbers of this size are told without decimals."""

_NEAR = 0.01
"""Limits so near to 0 and 1 only guard what follows."""


def of_kind(case: Case, state: str, whys: tuple[Why, ...]) -> SignalBreak | None:
    """Return the break of a case if its numbers say one of these, and it is not as it should be."""
    fact = case.fact
    known = isinstance(fact, SignalBreak) and fact.state == state and fact.why in whys
    return fact if known and not as_it_should_be(fact) else None  # type: ignore[arg-type,return-value]


def as_it_should_be(fact: SignalBreak) -> bool:
    """Return whether nothing needs to be explained: a loss that is met, a term that a plain number switches off."""
    if fact.state != "zero":
        return False
    if fact.why == "at-rest":
        return True
    other = next((each for at, each in enumerate(fact.operation.inputs) if at != fact.operation.at), None)
    some_move = fact.question.asked > len(fact.question.sources)
    return fact.why == "other-zero" and other is not None and other.size == 1 and some_move


def operation(sources: Sources, fact: SignalBreak) -> str:
    """Return the operation as the user wrote it: the function that is called, or the sign of an operator."""
    if fact.operation.layer:
        node = node_at(fact.location, sources) if fact.location is not None else None
        kind = ast.unparse(node.func).rpartition(".")[2] if isinstance(node, ast.Call) else ""
        if kind.lower() == fact.operation.name.replace("_", "").lower():
            return f"the {kind} `{fact.operation.layer}`"
        return f"the {fact.operation.name.lower()} in or after layer `{fact.operation.layer}`"
    return called(sources, fact.location, fact.operation.name)


def called(sources: Sources, location: Location | None, op: str) -> str:
    """Return what stands at a line: the function that is called there, the sign of an operator, or the operation."""
    node = node_at(location, sources) if location is not None and location.column is not None else None
    text = written(node) if isinstance(node, (ast.Call, ast.BinOp)) else ""
    return f"`{text or op}`"


def span(numbers: Numbers) -> str:
    """Return the range of some numbers in words."""
    return f"are {_range(numbers)}"


def spans(inputs: Iterable[Numbers | None]) -> str:
    """Return the ranges of the inputs of one operation in words, and how many of the elements are infinite."""
    return "are " + ", and ".join(_range(each) for each in inputs if each is not None and each.size)


def _range(numbers: Numbers) -> str:
    low, high = short(numbers.low), short(numbers.high)
    infinite = f" ({numbers.infinite} of {numbers.size} are infinite)" if numbers.infinite else ""
    return (low if low == high else f"between {low} and {high}") + infinite


def interval(limits: tuple[float | None, float | None]) -> str:
    """Return a range in words."""
    low, high = limits
    if low is None and high is None:
        return "its limits"
    if low is None:
        return f"the limit {short(high)}"
    return f"the limits [{short(low)}, {short(high)}]" if high is not None else f"the limit {short(low)}"


def made_words(made: Made) -> str:
    """Return why an operation made nothing but zeros, as far as its numbers say."""
    given = made.inputs[0] if made.inputs else None
    if made.limits != (None, None):
        low, high = made.limits
        if given is not None and low is not None and high is not None and (given.low >= high or given.high < low):
            return f"all {given.size} ids {span(given)}, outside 0 to {short(high - 1)}"
    if made.rounded:
        return f"every element is rounded to 0 in {made.rounded}: its inputs {spans(made.inputs)}"
    if given is not None and given.size:
        return f"every element is zero (its {given.size} inputs {span(given)})"
    return "every element is zero"


def target(case: Case, fact: SignalBreak) -> str:
    """Return what was differentiated, as the user wrote it."""
    words = target_words(case.sources, fact.question)
    return "the loss" if words == "the target" else words


def what(case: Case, fact: SignalBreak) -> str:
    """Return what each message begins with: which gradient, and what became of it."""
    state = "is zero" if fact.state == "zero" else "is NaN or infinite"
    return (
        f"the gradient of {target(case, fact)} with respect to {_source(case, fact, fact.sources[0])}{AND_MORE} {state}"
    )


def evidence(
    case: Case,
    fact: SignalBreak,
    why: str,
    label: str,
    fixes: tuple[Fix, ...],
    *,
    location: Location | None = None,
    related: tuple[Marked, ...] = (),
    notes: tuple[str, ...] = (),
) -> Evidence:
    """Return evidence at the operation at which the gradient is lost."""
    primary = location or fact.location or fact.question.location
    asked = fact.question.location
    marks = list(related)
    if asked is not None and (primary is None or (asked.file, asked.line) != (primary.file, primary.line)):
        marks.append(Marked.at(asked, "the gradient is computed here", "asked"))
    if fact.seen.rate and fact.seen.optimizer is not None:
        marks.append(Marked.at(fact.seen.optimizer, f"the learning rate is {fact.seen.rate:g}", "optimizer"))
        notes = (*notes, "the gradient was not zero in the first steps: later updates moved the inputs out of range")
        smaller = Fix(
            summary=f"lower the learning rate of {fact.seen.rate:g}, for instance to {fact.seen.rate / 100:.1g}"
        )
        fixes = (smaller, *fixes)
    refs = tuple(_ref(case, fact, source) for source in fact.sources)
    return Evidence(
        message=f"{what(case, fact)}: {why}",
        primary=Marked.at(primary, label) if primary is not None else None,
        related=tuple(mark for mark in marks if primary is None or mark.order != primary.order),
        certainty="proved" if fact.seen.copy in ("", "given", "earlier", "last") else "likely",
        severity=severity(fact),
        target=TensorRef(name=target_words(case.sources, fact.question).strip("`")),
        source=refs[0],
        also=refs[1:],
        notes=(*notes, *_notes(fact)),
        fixes=fixes,
    )


def severity(fact: SignalBreak) -> Severity:
    """Return `note` for a zero that nobody trains with, unless it is a result that was asked for and says nothing."""
    some_move = fact.question.asked > len(fact.question.sources)
    if fact.state == "zero" and fact.why in ("other-zero", "selected-away") and some_move:
        return "note"  # a mask of a part, which others are learned beside
    if fact.state == "non-finite" or fact.trained:
        return "warning"
    asked_for = any(not source.variable for source in fact.sources)
    telling = fact.why in ("one-element", "saturated", "outside", "flat", "cancelled", "summed")
    several = fact.operation.output is not None and fact.operation.output.size > 1
    return "warning" if asked_for and telling and several else "note"


def _notes(fact: SignalBreak) -> tuple[str, ...]:
    if fact.seen.span is not None:
        epoch = f"; the loss of epoch {fact.seen.epoch} is the first that is not finite" if fact.seen.epoch else ""
        return (
            f"the variables became NaN or infinite between steps {fact.seen.span[0]} and {fact.seen.span[1]}{epoch}",
            "found by executing a copy of the step with the last finite weights, and samples that it is given"
            if fact.seen.copy == "earlier"
            else "found in a copy of the step with new numbers in the weights, and samples that it is given",
        )
    if fact.seen.copy == "last":
        steps = fact.seen.steps
        return (f"the gradient was executed again after all {steps} steps, with the weights as they are then",)
    if fact.seen.copy == "fresh":
        return ("observed in a copy of the traced step with new random weights, because the weights are NaN by now",)
    if fact.seen.copy:
        given = "the first samples that it received" if fact.seen.copy == "given" else "made-up arguments"
        return (f"observed in a copy of the traced step, called with {given}",)
    return (f"the same in the last {fact.seen.steps} steps that were checked",) if fact.seen.steps > 1 else ()


def _source(case: Case, fact: SignalBreak, source: Source) -> str:
    return source_words(case.sources, fact.question, source, source.made)


def _ref(case: Case, fact: SignalBreak, source: Source) -> TensorRef:
    return TensorRef(
        name=_source(case, fact, source).removeprefix(f"{fact.question.noun} ").strip("`"),
        kind="variable" if source.variable else "tensor",
        dtype=source.dtype,
        shape=source.shape,
        location=source.made,
    )


def short(number: float | None) -> str:
    """Return a number with few digits."""
    if number is None:
        return "?"
    return f"{number:.0f}" if _WHOLE[0] <= abs(number) < _WHOLE[1] else f"{number:.4g}"


def guards(fact: SignalBreak) -> bool:
    """Return whether limits keep probabilities that are exactly 0 or 1 away from a logarithm or a quotient.

    Without them, or with wider ones, these values give infinity.
    """
    given, (low, high) = fact.operation.given, fact.operation.limits
    if given is None or not given.finite or not 0 <= given.low <= given.high <= 1:
        return False
    below = low is None or 0 < low <= _NEAR
    above = high is None or 1 - _NEAR <= high < 1
    return below and above and (given.high <= (low or 0) or given.low >= (high or 1))
