"""TW103 recording-stopped: the tape was told not to record a part of the path."""

from __future__ import annotations

from tensorwhy.diagnosis.gradient import evidence, marked
from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.gradient import NotRecorded
from tensorwhy.reasons import _recorders

META = about(
    __name__, summary="The tape was paused (`tape.stop_recording()`) or cleared (`tape.reset()`).", keeps_value=True
)


def match(case: Case) -> Evidence | None:
    """Holds when the path ran while recording was stopped by the program, or before it was reset."""
    fact = case.fact
    if not isinstance(fact, NotRecorded) or fact.region not in ("paused", "reset"):
        return None
    if _recorders.once(fact):
        return None  # TensorFlow itself paused there: TW102 has it, with what else came too early
    recorder = _recorders.called(case, fact.made.recorder, fact.question.recorder_noun)
    if fact.region == "reset":
        return evidence(
            case,
            fact,
            location=fact.made.recorder,
            why=f"{recorder} was reset and forgot everything before that",
            label="everything recorded so far is forgotten here",
            related=marked(fact.location, "computed here, before the reset", "computed"),
        )
    return evidence(
        case,
        fact,
        why="part of the computation ran while recording was stopped",
        label="computed here, while recording was stopped",
        related=marked(fact.recorder_closed, "recording stops here", "stopped"),
    )
