"""TW101 not-watched: the tape never learned that the source is one."""

from __future__ import annotations

from tensorwhy.diagnosis.asked import source_words, target_words
from tensorwhy.diagnosis.gradient import evidence, marked
from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.model.report import Fix

META = ReasonMeta(
    code="TW101",
    slug="not-watched",
    family="gradient",
    summary=(
        "The tape never watched the source: a plain tensor, a variable that it does not watch by itself, "
        "or watched too late."
    ),
)


def match(case: Case) -> Evidence | None:
    """Holds when the source was not tracked by the tape when it was first used on the path."""
    fact = case.fact
    if not isinstance(fact, GradientBreak) or fact.kind != "not-watched":
        return None
    source = fact.sources[0]
    name = source_words(case.sources, fact.question, source)
    target = target_words(case.sources, fact.question)
    place = fact.source_made
    if fact.watched == "late":
        why, label = "the tape began to watch it only after it had been used", "watched here, after its first use"
        place = fact.watched_at
    elif source.variable and source.trainable is False:
        why, label = (
            "the variable is not trainable, and tapes watch only those that are",
            "this variable is not trainable",
        )
    elif source.variable:
        why, label = "the tape was told not to watch variables by itself", "this tape watches only what it is told to"
        place = fact.tape_opened
    else:
        why, label = "it is a plain tensor that the tape was never told to watch", "this tensor is not watched"
    watch = name.strip("`") if name.startswith("`") else "x"
    related = [
        *marked(fact.source_made, "the source is made here", "source"),
        *marked(fact.tape_opened, "this tape starts recording here", "tape opened"),
    ]
    return evidence(
        case,
        fact,
        location=place,
        message=f"the gradient of {target} with respect to {name} is None: {why}",
        label=label,
        related=related,
        fixes=(Fix(summary=f"call `tape.watch({watch})` as the first thing inside the `with`"),),
    )
