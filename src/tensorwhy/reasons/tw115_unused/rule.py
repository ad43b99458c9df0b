"""TW115 unused: the target does not depend on the source at all."""

from __future__ import annotations

import ast

from tensorwhy.diagnosis.gradient import (
    evidence,
    is_built_lazily,
    marked,
    source_made,
    source_of,
    state_among_sources,
    target_of,
)
from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.gradient import Unused
from tensorwhy.model.facts.loops import ArrayReused
from tensorwhy.model.location import Location, Marked
from tensorwhy.reasons.tw115_unused.words import row, words
from tensorwhy.source.answers.calls import shadowed, source_written

META = about(
    __name__, summary="The target was computed without the source: no operation on the path to the target ever read it."
)


def match(case: Case) -> Evidence | None:
    """Holds when no recorded operation leads from the source to the target, by value or by state."""
    fact = case.fact
    if not isinstance(fact, Unused) or fact.kind != "unused" or fact.within_gradient or fact.instead:
        return None
    if state_among_sources(fact) or any(isinstance(other, ArrayReused) for other in case.others):
        return None
    if shadowed(case.sources, fact):
        return None  # its name was given to another object
    target, source, use = target_of(case, fact), source_of(case, fact), fact.use
    made = case.sources.names(fact.location) if fact.location is not None else ()
    named = f"`{made[0]}`" if len(made) == 1 else "what is computed here"
    said = words(
        _row(case, fact),
        target=target,
        source=source,
        made=named,
        created="built in this call" if is_built_lazily(fact) else "created here",
        op=use.op if use is not None else "",
        origin=origin(case, fact),
    )
    return evidence(
        case,
        fact,
        why=said.why,
        label=said.label,
        location=fact.location or _made(case, fact),
        related=[
            *source_made(case, fact),
            *marked(use.other if use is not None else None, said.other, "other"),
            *marked(target_made(case, fact), f"{target} is computed here, without it", "target"),
            *_others(fact),
            *marked(fact.python, "returned by a Python function, which has no gradient", "python"),
        ],
    )


def origin(case: Case, fact: Unused) -> str:
    """Return what the source was made from, in the user's words."""
    use = fact.use
    names = case.sources.names(use.other) if use is not None and use.other is not None else ()
    if len(names) == 1:
        return f"`{names[0]}`"
    return f"`{use.name}`" if use is not None and use.name else f"what {source_of(case, fact)} was made from"


def _row(case: Case, fact: Unused) -> str:
    """Return which row of the table of words fits."""
    if fact.use is not None:
        return row(fact.use)
    if fact.location is None:
        return "asked" if fact.made.source is None else "made anew" if made_anew(case, fact) else "never"
    return "made" if fact.location == fact.made.source else "lost"


def made_anew(case: Case, fact: Unused) -> bool:
    """Return whether the source is a call, written where the gradient is asked for: nothing else has its result."""
    written = source_written(case.sources, fact.question, fact.sources[0])
    return fact.made.source is not None and isinstance(written, ast.Call)


def _made(case: Case, fact: Unused) -> Location | None:
    """Where the source was made: by the question's own call, if it stands there, and not within what that calls."""
    made, asked = fact.made.source, fact.question.location
    return asked if made and asked and made.order[:2] != asked.order[:2] and made_anew(case, fact) else made


def target_made(case: Case, fact: Unused) -> Location | None:
    """Where the target was made. What `jacobian` makes of its target for itself says nothing of that."""
    own = fact.made.target != fact.question.location or not target_of(case, fact).startswith("`")
    return fact.made.target if own else None


def _others(fact: Unused) -> list[Marked]:
    """The calls of the asker's own by which other trainable variables went into a target that uses none of these."""
    asked = fact.question.location
    not_asked = fact.use is not None and fact.use.how == "none-asked"
    own = [at for at in fact.unasked if asked and (at.file, at.function) == (asked.file, asked.function)]
    away = [at for at in own if not_asked and at not in (asked, fact.location, fact.made.target)]
    return [mark for at in away for mark in marked(at, "computed with variables that are not asked for", "others")]
