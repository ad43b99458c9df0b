"""Moves the computation into the block that the tape records."""

from __future__ import annotations

import ast

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes
from tensorwhy.model.facts.gradient import NotRecorded
from tensorwhy.model.report import Fix
from tensorwhy.reasons import _recorders

_WRONG = (
    "unless this is meant to be a constant, or is too expensive to recompute in every step; then do not ask for this "
    "gradient"
)


def propose(case: Case, evidence: Evidence) -> Fixes:
    """The statements that ran outside, moved inside; with it, what else the question needs."""
    fact = case.fact
    if not isinstance(fact, NotRecorded):
        return
    if fact.region == "dataset":
        return
    if fact.region == "other-thread":
        yield Fix(
            summary="compute this on the thread that opened the tape, or open and use the tape in the function that "
            "runs here (a function that a `tf.distribute` strategy runs has its own threads)"
        )
        return
    once = fact.location.runs_once if fact.location is not None else ""
    if once:
        yield Fix(
            summary=f"compute this in the method that is called in each step: `{once}` runs once, and its result "
            f"never changes",
            caveat=_WRONG,
        )
        return
    unwatched = _recorders.unwatched(case)
    recorder = _recorders.called(case, fact.made.recorder, "tape")
    watch = f", after `{_recorders.name(case, fact.made.recorder) or 'tape'}.watch({unwatched})`" if unwatched else ""
    edits = _recorders.edits(case)
    used = "" if edits else _used_in_front(case, fact)
    summary = f"move {_recorders.lines(fact)} into the `with` of {recorder}{watch}"
    if used:
        summary = (
            f"repeat {_recorders.lines(fact)} inside the `with` of {recorder}{watch}: `{used}` is also used before it"
        )
    yield Fix(summary=summary, edits=edits, caveat=_WRONG)


def _used_in_front(case: Case, fact: NotRecorded) -> str:
    """A name for what was computed before the tape was opened, that is read before that, too: by another network."""
    place, opened = fact.called or fact.location, fact.made.recorder
    last = case.sources.statement(fact.last or place) if place is not None else None
    if fact.region != "before" or place is None or opened is None or last is None:
        return ""
    scope = case.sources.function(place) or case.sources.tree(place.file)
    if scope is None or (place.file, place.function) != (opened.file, opened.function):
        return ""
    end = last.end_lineno or last.lineno
    named = [node for node in ast.walk(scope) if isinstance(node, ast.Name)]
    bound = {n.id for n in named if isinstance(n.ctx, ast.Store) and place.line <= n.lineno <= end}
    reads = [n for n in named if isinstance(n.ctx, ast.Load) and end < n.lineno < opened.line and n.id in bound]
    return reads[0].id if reads else ""
