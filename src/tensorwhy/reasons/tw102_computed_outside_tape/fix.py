"""Moves the computation into the block that the tape records."""

from __future__ import annotations

from collections.abc import Iterable

from tensorwhy.diagnosis.reason import Case, Evidence
from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.model.report import Fix
from tensorwhy.reasons import _tapes

_WRONG = "wrong where it is meant as a constant, or is too dear to be done in each step"


def propose(case: Case, evidence: Evidence) -> Iterable[Fix]:
    """The statements that ran outside, moved inside; with it, what else the question needs."""
    fact = case.fact
    if not isinstance(fact, GradientBreak):
        return
    if fact.region == "dataset":
        return
    if fact.region == "other-thread":
        yield Fix(
            summary="compute this on the thread that opened the tape, or open the tape, and ask it, in the function "
            "that runs here (what a `tf.distribute` strategy is given to `run` has threads of its own)"
        )
        return
    once = fact.location.runs_once if fact.location is not None else ""
    if once:
        yield Fix(
            summary=f"compute this in the method that is called in each step: `{once}` runs once, "
            "and what it computes stays as it is",
            caveat=_WRONG,
        )
        return
    unwatched = _tapes.unwatched(case)
    watch = f", after `tape.watch({unwatched})`" if unwatched else ""
    yield Fix(
        summary=f"move {_tapes.lines(fact)} into the `with` of the tape{watch}", edits=_tapes.edits(case), caveat=_WRONG
    )
