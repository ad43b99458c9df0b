"""Tells the tape to watch the source."""

from __future__ import annotations

from collections.abc import Iterable

from tensorwhy.diagnosis.reason import Case, Evidence
from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.model.report import Fix
from tensorwhy.reasons import _tapes


def propose(case: Case, evidence: Evidence) -> Iterable[Fix]:
    """`tape.watch(source)` as the first statement of the tape's block; with it, what else the question needs."""
    fact = case.fact
    if not isinstance(fact, GradientBreak):
        return
    if fact.watched == "late":
        yield Fix(summary="call `tape.watch` before the first use")
        return
    frozen = fact.sources[0].variable and fact.sources[0].trainable is False
    outside = _tapes.outside(case)
    moved = f", and move {outside} behind it" if outside else ""
    yield Fix(
        summary=f"call `tape.watch({_tapes.watched(case, fact) or '...'})` as the first thing inside the `with`{moved}",
        edits=_tapes.edits(case),
        caveat="wrong where it is frozen on purpose: then leave it out of the sources" if frozen else "",
    )
