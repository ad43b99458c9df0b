"""TW115 unused: the target does not depend on the source at all."""

from __future__ import annotations

import ast

from tensorwhy.diagnosis.asked import shadowed, source_written
from tensorwhy.diagnosis.gradient import evidence, marked, source_made, source_of, state_among_sources, target_of, what
from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.model.facts.gradient import GradientBreak, Use
from tensorwhy.model.facts.loops import ArrayReused
from tensorwhy.model.location import Location, Marked
from tensorwhy.reasons.tw115_unused.words import words

META = ReasonMeta(
    code="TW115",
    slug="unused",
    family="gradient",
    summary="The target was computed without the source: no operation on the way to the target ever read it.",
)


def match(case: Case) -> Evidence | None:
    """Holds when no recorded operation leads from the source to the target, by value or by state."""
    fact = case.fact
    if not isinstance(fact, GradientBreak) or fact.kind != "unused" or fact.within_gradient or fact.instead:
        return None
    if state_among_sources(fact) or any(isinstance(other, ArrayReused) for other in case.others):
        return None
    if fact.first_value is not None:
        return _first_value(case, fact, fact.first_value)
    if fact.use is not None:
        return _used(case, fact, fact.use)
    if shadowed(case.sources, fact):
        return None  # its name was given to another object
    target, source = target_of(case, fact), source_of(case, fact)
    if fact.location is None:
        why = "no operation ever used it"
        if made_anew(case, fact):
            why = "this call of it makes a new tensor, which no operation ever used"
        label = f"{source} is made here, and no operation ever used it"
        if fact.source_made is None:
            label = f"asked here for {source}, which no operation ever used"
    elif fact.none_used:
        why = f"{target} does not depend on it"
        label = f"{target} is made here, of nothing that is asked for"
    elif fact.location == fact.source_made:
        why = f"{target} does not depend on it"
        label = f"{source} is made here, and {target} uses nothing of it"
    else:
        why = f"{target} does not depend on it"
        names = case.sources.names(fact.location)
        made = f"`{names[0]}`" if len(names) == 1 else "what is computed here"
        label = f"{made} comes from it, but {target} uses nothing of that"
    return evidence(
        case,
        fact,
        message=f"{what(case, fact)}: {why}",
        label=label,
        location=fact.location or _made(case, fact),
        related=[
            *source_made(case, fact),
            *marked(target_made(case, fact), f"{target} is made here, without it", "target"),
            *_others(fact),
            *marked(fact.python, "given by a Python function: what that computes has no gradient", "python"),
        ],
    )


def _used(case: Case, fact: GradientBreak, use: Use) -> Evidence:
    """The source was used, and the target takes no part in that."""
    target = target_of(case, fact)
    said = words(use, target, source_of(case, fact))
    return evidence(
        case,
        fact,
        message=f"{what(case, fact)}: {said.why}",
        label=said.label,
        location=use.location,
        related=[
            *source_made(case, fact),
            *marked(use.other, said.other, "other"),
            *marked(target_made(case, fact), f"{target} is made here, without it", "target"),
        ],
    )


def made_anew(case: Case, fact: GradientBreak) -> bool:
    """Whether the source is a call, written where the gradient is asked for: nothing else has its result."""
    written = source_written(case.sources, fact.question, fact.sources[0])
    return fact.source_made is not None and isinstance(written, ast.Call)


def _made(case: Case, fact: GradientBreak) -> Location | None:
    """Where the source was made: by the question's own call, if it stands there, and not within what that calls."""
    made, asked = fact.source_made, fact.question.location
    return asked if made and asked and made.order[:2] != asked.order[:2] and made_anew(case, fact) else made


def target_made(case: Case, fact: GradientBreak) -> Location | None:
    """Where the target was made. What `jacobian` makes of its target for itself says nothing of that."""
    own = fact.target_made != fact.question.location or target_of(case, fact) == "the target"
    return fact.target_made if own else None


def _others(fact: GradientBreak) -> list[Marked]:
    """The calls of the asker's own by which other trainable variables went into a target that uses none of these."""
    asked = fact.question.location
    own = [at for at in fact.unasked if asked and (at.file, at.function) == (asked.file, asked.function)]
    away = [at for at in own if fact.none_used and at not in (asked, fact.location, fact.target_made)]
    return [mark for at in away for mark in marked(at, "computed with variables that are not asked for", "others")]


def _first_value(case: Case, fact: GradientBreak, function: Location) -> Evidence:
    """The traced function has the value that the variable began with, and not the variable."""
    return evidence(
        case,
        fact,
        message=f"{what(case, fact)}: this function was traced before the variable had a value, "
        "and keeps what it was to begin with as a constant",
        label="traced in Keras' trial run, which makes the variables: the trace is used for every call, and reads none",
        location=function,
        related=[
            *source_made(case, fact),
            *marked(fact.location, "read here, while it was traced", "read"),
            *marked(fact.target_made, f"{target_of(case, fact)} is made here, without it", "target"),
        ],
    )
