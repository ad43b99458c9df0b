"""TW209 zero-at-operation: a flowing gradient comes into an operation, and it hands zeros on."""

from __future__ import annotations

import ast

from tensorwhy.diagnosis.asked import call_at
from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.diagnosis.signal import called, evidence, of_kind, operation, span, spans
from tensorwhy.model.facts.signal import HIGHEST, Made, SignalBreak
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix

META = ReasonMeta(
    code="TW209",
    slug="zero-at-operation",
    family="zero-gradient",
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
    given = fact.inputs[fact.at] if fact.at < len(fact.inputs) else None
    argument = _argument(case, fact)
    whose = f"values of {argument}" if argument else "input values"
    numbers = f" (the {given.size} {whose} {span(given)})" if given is not None and given.size else ""
    others = [
        f"{each.size} {span(each)}"
        for at, each in enumerate(fact.inputs)
        if at != fact.at and each is not None and each.size
    ]
    notes = (f"its other inputs: {'; '.join(others)}",) if 0 < len(others) <= _OTHERS else ()
    return evidence(
        case,
        fact,
        f"{name} receives a gradient and passes on zeros",
        f"a gradient arrives here, but only zeros are passed on{numbers}",
        (
            Fix(
                summary=f"find out why {argument or 'the inputs'} {'has' if argument else 'have'} these values, where "
                f"{name} has a slope of zero, and keep them away from there",
                caveat="unless the program need not learn from these samples: then zeros are correct",
            ),
        ),
        notes=notes,
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


def _argument(case: Case, fact: SignalBreak) -> str:
    """The argument that gets nothing, where the call is that of the operation itself, with its inputs in order."""
    call = call_at(case.sources, fact.location)
    if call is None or fact.layer_name or call.keywords or len(call.args) != len(fact.inputs):
        return ""
    same = ast.unparse(call.func).rpartition(".")[2].replace("_", "") == fact.op.lower()
    return f"`{ast.unparse(call.args[fact.at])}`" if same and isinstance(call.args[fact.at], ast.Name) else ""
