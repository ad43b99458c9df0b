"""TW103 recording-stopped: the tape was told not to record a part of the path."""

from __future__ import annotations

from tensorwhy.diagnosis.asked import source_words, target_words
from tensorwhy.diagnosis.gradient import evidence, marked
from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.model.report import Fix

META = ReasonMeta(
    code="TW103",
    slug="recording-stopped",
    family="gradient",
    summary="tape.stop_recording() or tape.reset(): the tape was there, and was told not to record, or to forget.",
)


def match(case: Case) -> Evidence | None:
    """Holds when the path ran while recording was stopped by the program, or before it was reset."""
    fact = case.fact
    if not isinstance(fact, GradientBreak) or fact.region not in ("paused", "reset"):
        return None
    target = target_words(case.sources, fact.question)
    source = source_words(case.sources, fact.question, fact.sources[0])
    if fact.region == "reset":
        why, place, label = (
            "the tape was reset, and forgot what came before",
            fact.tape_opened,
            "what came before is forgotten",
        )
        related = marked(fact.location, "computed here, before the reset", "computed")
        fix = Fix(
            summary="reset the tape before this computation, or use a second tape",
            caveat="wrong where forgetting was meant",
        )
    else:
        why, place, label = "recording was stopped", fact.location, "computed here, while recording was stopped"
        related = marked(fact.tape_closed, "recording stops here", "stopped")
        fix = Fix(
            summary="move this computation out of `stop_recording()`",
            caveat="wrong where it was meant as a constant: then leave the source out of the question",
        )
    return evidence(
        case,
        fact,
        location=place,
        message=f"the gradient of {target} with respect to {source} is None: {why}",
        label=label,
        related=related,
        fixes=(fix,),
    )
