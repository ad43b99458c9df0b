"""Computes the step in TensorFlow."""

from __future__ import annotations

from collections.abc import Iterable

from tensorwhy.diagnosis.reason import Case, Evidence
from tensorwhy.fixes import twins
from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.model.report import Fix


def propose(case: Case, evidence: Evidence) -> Iterable[Fix]:
    """NumPy's functions replaced by TensorFlow's; `.numpy()`, `float()` and `predict()` left out."""
    fact = case.fact
    if not isinstance(fact, GradientBreak):
        return
    ways = [
        *(twins.kept(place, fact.entry, case.sources) for place in (fact.location, fact.exit) if place is not None),
        *(twins.kept_before(place, case.sources) for place in (fact.entry,) if place is not None),
    ]
    within = twins.kept_within(fact.location, case.sources) if fact.location is not None else ()
    ways = [] if within is None else [(*way, *within) if way else way for way in ways]
    different = {frozenset(way): way for way in reversed(ways) if way}
    for edits in [*reversed(different.values())] or [()]:
        yield Fix(
            summary=_kept(fact),
            edits=edits,
            caveat="unless the value is meant to be a constant; then None is correct",
        )


def _kept(fact: GradientBreak) -> str:
    """Which lines to write otherwise."""
    first, last = fact.location, fact.entry
    if first is None:
        return "compute this with TensorFlow operations"
    if last is None or first.file != last.file or not first.line < last.line:
        return f"compute line {first.line} with TensorFlow operations"
    return f"compute lines {first.line} to {last.line} with TensorFlow operations, without a conversion in between"
