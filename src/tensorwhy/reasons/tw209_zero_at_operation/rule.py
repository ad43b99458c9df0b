"""TW209 zero-at-operation: a flowing gradient comes into an operation, and it hands zeros on."""

from __future__ import annotations

import ast

from tensorwhy.diagnosis.asked import variable_name
from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.diagnosis.signal import called, evidence, of_kind, operation, short, span, spans
from tensorwhy.model.facts.signal import HIGHEST, Made, Numbers, SignalBreak
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix
from tensorwhy.source.answers.calls import call_at

META = about(
    __name__,
    summary="A gradient reaches this operation, but the gradient that it passes on is zero for every element.",
    severity="warning",
)
_OTHERS = 4
"""So many other inputs are told."""


def match(case: Case) -> Evidence | None:
    """Hold for a break of the signal of which no other reason says why."""
    fact = of_kind(case, "zero", ("unknown", "given", "infinite"))
    if fact is None:
        return None
    name = operation(case.sources, fact)
    if fact.why == "infinite" and fact.zeros is not None:
        return _hidden(case, fact, fact.zeros, name)
    given = fact.operation.given
    argument = _argument(case, fact)
    whose = f"values of {argument}" if argument else "input values"
    numbers = f" (the {given.size} {whose} {span(given)})" if given is not None and given.size else ""
    names = _arguments(case, fact)
    others = [
        f"`{name}` {_is(each)}" if name else f"{each.size} {span(each)}"
        for at, (name, each) in enumerate(zip(names, fact.operation.inputs))
        if at != fact.operation.at and each is not None and each.size
    ]
    notes = (f"its other inputs: {', '.join(others)}",) if 0 < len(others) <= _OTHERS else ()
    same, made = _of_source(case, fact, given)
    if argument and given is not None and given.low == given.high:
        why = f"{argument} is {short(given.low)} in all {given.size} elements, where the slope of {name} is zero"
    elif fact.operation.trait == "factorize":
        why = f"it becomes zero at {name}, as where the values that it finds are equal: there it has no slope"
    else:
        why = f"it becomes zero at {name}"
    related = (Marked.at(made, f"`{same}` starts at {short(given.low)}", "made"),) if made and given is not None else ()
    return evidence(
        case,
        fact,
        why,
        f"the gradient becomes zero here{numbers}",
        (_fix(case, fact, name, argument, same),),
        notes=notes,
        related=related,
    )


def _hidden(case: Case, fact: SignalBreak, made: Made, name: str) -> Evidence:
    """An infinity that one operation computes, and another one turns into a finite number."""
    overflowed = called(case.sources, made.location, made.op)
    digits = next((each.digits for each in made.inputs if each is not None and each.digits in HIGHEST), "")
    beyond = f", beyond {HIGHEST[digits]:,}, the largest number of {digits}" if digits else ""
    hides = f"{name} hides the infinity: its result is finite, with a slope of zero"
    return evidence(
        case,
        fact,
        f"{overflowed} returns infinity{f' in {digits}' if digits else ''}, so {name} has a slope of zero",
        f"infinite{beyond}; its inputs {spans(made.inputs)}",
        (Fix(summary=fact.wording.wide),) if digits else (Fix(summary=f"keep the inputs of {overflowed} smaller"),),
        location=made.location,
        related=(Marked.at(fact.location, hides, "hidden"),) if fact.location is not None else (),
    )


def _fix(case: Case, fact: SignalBreak, name: str, argument: str, same: str) -> Fix:
    call = call_at(case.sources, fact.location)
    options = [each.arg for each in call.keywords] if call is not None else []
    for hides, when in fact.wording.hides_infinity:
        if hides in options:
            return Fix(
                summary=f"make the inputs of {name} fit each other: its result is infinite where {when}, and `{hides}` "
                "turns that into zero, with a gradient of zero"
            )
    if same:
        return Fix(summary=f"start `{same}` with other values, where {name} has a slope")
    whose = argument or "the inputs"
    if fact.operation.trait == "factorize":
        return Fix(
            summary=f"do without {name} where {whose} has equal singular values or eigenvalues, as a rotation has: a"
            " small random matrix added to it makes them differ",
            caveat="the gradients are then large, and depend on that matrix",
        )
    return Fix(
        summary=f"change what computes {whose}: {name} has a slope of zero for these values",
        caveat="unless nothing is to be learned from these samples; then zeros are correct",
    )


def _of_source(case: Case, fact: SignalBreak, given: Numbers | None) -> tuple[str, Location | None]:
    """The source that is itself what gets nothing, by its one value and size, and where it was made."""
    for source, held in zip(fact.sources, fact.held_by):
        if held is None or given is None or held.size != given.size or source.made is None:
            continue
        if given.low == given.high == held.low == held.high:
            return variable_name(case.sources, source.name, source.made), source.made
    return "", None


def _is(numbers: Numbers) -> str:
    low, high = short(numbers.low), short(numbers.high)
    return f"is {low}" if low == high else f"is between {low} and {high}"


def _arguments(case: Case, fact: SignalBreak) -> list[str]:
    """The names of the inputs, where the call is that of the operation itself, with its inputs in order."""
    call = call_at(case.sources, fact.location)
    if call is None or fact.operation.layer or len(call.args) != len(fact.operation.inputs):
        return [""] * len(fact.operation.inputs)
    own = ast.unparse(call.func).rpartition(".")[2].replace("_", "") == fact.operation.name.replace("_", "").lower()
    return [each.id if own and isinstance(each, ast.Name) else "" for each in call.args]


def _argument(case: Case, fact: SignalBreak) -> str:
    """The argument that gets nothing."""
    names = _arguments(case, fact)
    return f"`{names[fact.operation.at]}`" if fact.operation.at < len(names) and names[fact.operation.at] else ""
