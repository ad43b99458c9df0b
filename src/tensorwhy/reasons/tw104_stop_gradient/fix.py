"""Takes the `stop_gradient` out, and leaves what it was called with."""

from __future__ import annotations

from collections.abc import Iterable

from tensorwhy.diagnosis.reason import Case, Evidence
from tensorwhy.fixes import calls
from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.model.report import Fix

_NAME = "stop_gradient"


def propose(case: Case, evidence: Evidence) -> Iterable[Fix]:
    """`tf.stop_gradient(x)` as `x`, where the call stands in the user's own code."""
    fact = case.fact
    if not isinstance(fact, GradientBreak):
        return
    if fact.by_question:
        yield Fix(
            summary="leave out of `stop_gradients` what the source is computed through",
            caveat="wrong where the derivative is meant to be a partial one, with the rest held fixed",
        )
        return
    call = calls.find(fact.location, case.sources, _NAME) if fact.location is not None else None
    own = call is not None and calls.name(call) == _NAME
    yield Fix(
        summary="leave the `stop_gradient` out",
        edits=calls.left_out(fact.location, case.sources, _NAME) if own and fact.location is not None else (),
        caveat="wrong where the value is meant as a constant (a target, a baseline): "
        "then leave the source out of the question",
    )
