"""Leaves the clip out, or lets the gradient pass straight through a step."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes, worded
from tensorwhy.diagnosis.signal import guards
from tensorwhy.fixes import rounding
from tensorwhy.model.facts.signal import SignalBreak
from tensorwhy.model.report import Fix


def propose(case: Case, evidence: Evidence) -> Fixes:
    """`clip_by_value(x, a, b)` as `x`; `round(x)` as `x + stop_gradient(round(x) - x)`."""
    clip = rounding.clip(evidence.primary, case.sources)
    step = rounding.step(evidence.primary, case.sources)
    if clip is None:
        yield from worded(
            evidence,
            rounding.straight_through(*step) if step is not None else (),
            caveat="this is not the true gradient",
        )
        return
    yield from evidence.fixes
    if isinstance(case.fact, SignalBreak) and guards(case.fact):
        return
    yield Fix(
        summary="remove the clip from the path that is trained",
        edits=rounding.left_out(*clip),
        caveat="unless the limits are part of the model; then scale the values to fit them",
    )
