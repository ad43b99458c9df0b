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
            summary="compute this step with TensorFlow operations",
            edits=edits,
            caveat="unless the number is meant to be a constant: in that case do not ask for this gradient",
        )
