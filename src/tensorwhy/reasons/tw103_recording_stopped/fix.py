"""Takes the computation out of the block that pauses the tape."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes
from tensorwhy.fixes import tape
from tensorwhy.model.facts.gradient import NotRecorded
from tensorwhy.model.report import Edit, Fix


def propose(case: Case, evidence: Evidence) -> Fixes:
    """The statements of the path, moved before the block; what else stands in it stays."""
    fact = case.fact
    if not isinstance(fact, NotRecorded):
        return
    if fact.region == "reset":
        yield Fix(
            summary="reset the tape before this computation, or use a second tape",
            caveat="unless you meant to discard what was recorded",
        )
        return
    place, paused = fact.location, fact.recorder_closed
    edits: tuple[Edit, ...] = ()
    if place is not None and paused is not None:
        edits = tape.resumed(place, fact.last or place, paused, case.sources)
    yield Fix(
        summary="move this computation out of `stop_recording()`",
        edits=edits,
        caveat="unless it is meant to be a constant; then None is correct",
    )
