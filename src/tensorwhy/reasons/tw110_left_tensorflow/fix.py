"""Computes the step in TensorFlow."""

from __future__ import annotations

import ast

from tensorwhy.diagnosis.gradient import source_of
from tensorwhy.diagnosis.reason import Case, Evidence, Fixes
from tensorwhy.fixes import tape, twins
from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.model.report import Fix
from tensorwhy.source.reading import last_name


def propose(case: Case, evidence: Evidence) -> Fixes:
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
    moved = _recorded(case, fact)
    ways = [] if moved else ways  # they are a part of what is to be done
    different = {frozenset(way): way for way in reversed(ways) if way}
    for edits in [*reversed(different.values())] or [()]:
        yield Fix(
            summary=_kept(fact) + moved,
            edits=edits,
            caveat="unless the value is meant to be a constant; then None is correct",
        )


def _recorded(case: Case, fact: GradientBreak) -> str:
    """What else is to be done where the value left before the tape was opened."""
    place, opened = fact.location, fact.made.recorder
    found = tape.opening(opened, case.sources) if opened is not None else None
    if place is None or opened is None or found is None or not isinstance(found[1].optional_vars, ast.Name):
        return ""
    block, name = found[0], found[1].optional_vars.id
    called = {last_name(each.func) for each in ast.walk(block) if isinstance(each, ast.Call)}
    if (place.file, place.function) != (opened.file, opened.function):
        return ""  # another function may have been called inside
    if block.lineno <= place.line <= (block.end_lineno or block.lineno):
        return ""
    unwatched = not fact.sources[0].variable and "watch" not in called
    watched = f", after `{name}.watch({source_of(case, fact).strip('`')})`" if unwatched else ""
    return f"; do this inside the `with` of `{name}`{watched}"


def _kept(fact: GradientBreak) -> str:
    """Which lines to write otherwise."""
    first, last = fact.location, fact.entry
    if first is None:
        return "compute this with TensorFlow operations"
    if last is None or first.file != last.file or not first.line < last.line:
        return f"compute line {first.line} with TensorFlow operations"
    return f"compute lines {first.line} to {last.line} with TensorFlow operations, without a conversion in between"
