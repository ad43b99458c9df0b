"""TW104 stop-gradient: somebody asked for the gradient to stop."""

from __future__ import annotations

from tensorwhy.diagnosis.gradient import evidence
from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.gradient import NotPassed
from tensorwhy.model.location import Location
from tensorwhy.source.answers.calls import call_at

META = about(
    __name__,
    summary="An explicit `stop_gradient` blocks the gradient, in the user's code or in a library.",
    keeps_value=True,
)


def match(case: Case) -> Evidence | None:
    """Holds when an operation on every path is one that stops gradients by definition."""
    fact = case.fact
    if not isinstance(fact, NotPassed) or fact.kind != "stop-gradient":
        return None
    if fact.by_question:
        return evidence(
            case,
            fact,
            why="`stop_gradients` in the call blocks it",
            label="the gradient stops at these",
            location=_argument(case, fact),
        )
    return evidence(case, fact, why="`stop_gradient` blocks it", label="the gradient stops here")


def _argument(case: Case, fact: NotPassed) -> Location | None:
    """What was given as `stop_gradients`, or the call where that cannot be read."""
    asked = fact.question.location
    call = call_at(case.sources, asked)
    for keyword in call.keywords if call is not None else ():
        if keyword.arg == "stop_gradients" and asked is not None:
            return case.sources.place(asked.file, keyword.value)
    return asked
