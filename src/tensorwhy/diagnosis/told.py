"""Evidence from a fact that brings its own words."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Marked


def observed(case: Case, meta: ReasonMeta) -> Evidence | None:
    """Return what an adapter saw and named as this reason; None for any other fact."""
    fact = case.fact
    if not isinstance(fact, Observed) or fact.slug != meta.slug:
        return None
    taken = set() if fact.location is None else {fact.location.order}
    return Evidence(
        message=fact.message,
        primary=Marked.at(fact.location, fact.label) if fact.location is not None else None,
        related=tuple(mark for mark in fact.related if mark.order not in taken),
        certainty=fact.certainty,
        severity=fact.severity,
        source=fact.source,
        also=fact.also,
        path=fact.path,
        notes=fact.notes,
        fixes=fact.fixes,
    )
