"""Moves the computation into the block that the tape records."""

from __future__ import annotations

from collections.abc import Iterable

from tensorwhy.diagnosis.reason import Case, Evidence
from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.model.report import Fix
from tensorwhy.reasons import _tapes


def propose(case: Case, evidence: Evidence) -> Iterable[Fix]:
    """The statements that ran outside, moved inside; with it, what else the question needs."""
    fact = case.fact
    if not isinstance(fact, GradientBreak):
        return
    if fact.region == "other-thread":
        yield Fix(summary="compute this on the thread that opened the tape, or open a tape on this one")
        return
    yield Fix(summary=f"move {_lines(fact)} into the `with` of the tape", edits=_tapes.edits(case))


def _lines(fact: GradientBreak) -> str:
    place, last, tape = fact.location, fact.last, fact.tape_opened
    if place is None or tape is None or (place.file, place.function) != (tape.file, tape.function):
        return "this computation"
    if last is not None and last.file == place.file and last.line > place.line:
        return f"lines {place.line} to {last.line}"
    return f"line {place.line}"
