"""TW901 unexplained: something was lost, and no rule knows why."""

from __future__ import annotations

from tensorwhy.diagnosis.gradient import evidence, marked, source_made, source_of, target_of, what
from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.model.facts.gradient import Gap, GradientBreak
from tensorwhy.model.report import Fix

META = ReasonMeta(
    code="TW901",
    slug="unexplained",
    family="unexplained",
    summary="Something was lost and no rule matched: what is known of the lineage is shown, and nothing is guessed.",
    severity="warning",
)


def match(case: Case) -> Evidence | None:
    """Holds when a gradient was asked for, is None, and no other reason matched."""
    fact = case.fact
    if not isinstance(fact, GradientBreak):
        return None
    if fact.gap is not None:
        return _unrecorded(case, fact, fact.gap) if fact.gap.used is None else _unseen(case, fact, fact.gap)
    return evidence(
        case,
        fact,
        location=fact.question.location,
        message=f"{what(case, fact)}, and no known reason explains it",
        label="asked for here",
        related=[
            *source_made(case, fact),
            *marked(fact.target_made, f"{target_of(case, fact)} is created here", "target"),
        ],
        notes=_between(fact),
    )


def _unseen(case: Case, fact: GradientBreak, gap: Gap) -> Evidence:
    """What the target is made of was there before its tape, and nobody saw what it was made of itself."""
    while_ = "while recording rested" if gap.rested else "while nothing was recorded"
    source = source_of(case, fact)
    return evidence(
        case,
        fact,
        location=gap.used,
        message=f"{what(case, fact)}: it takes no part in what was recorded, and what else is used here was made "
        f"before this tape was opened, {while_}",
        label=f"this uses a tensor that was made {while_}: it may come from {source}",
        related=[
            *source_made(case, fact),
            *marked(fact.target_made, f"{target_of(case, fact)} is created here", "target"),
        ],
        notes=(_RESTS,) if gap.rested else (),
        fixes=(
            Fix(
                summary=f"if it is computed from {source}, compute it inside of the tape, which knows nothing of before"
            ),
            Fix(
                summary="to see what it was made of, run with `--record full`, or record with "
                '`tensorwhy.record("full")` from the beginning'
            ),
        ),
    )


def _unrecorded(case: Case, fact: GradientBreak, gap: Gap) -> Evidence:
    """The program ended at a None, in a step that was not recorded."""
    source = source_of(case, fact)
    saw = {
        True: f"the tape saw {source} used: the way from it to {target_of(case, fact)} ends after that",
        False: f"the tape saw no use of {source}: it was not used, or not while the tape recorded",
    }
    return evidence(
        case,
        fact,
        location=fact.question.location,
        message=f"{what(case, fact)}: it was not so in the steps that were recorded, and recording rested in this one",
        label="asked for here",
        related=source_made(case, fact),
        notes=(saw[gap.tape_saw],) if gap.tape_saw is not None else (),
        fixes=(Fix(summary="run it again with `--record full`: the line at which the way ends is named then"),),
    )


_RESTS = "recording rests between steps once every gradient call is known; what is made then is known by its use only"


def _between(fact: GradientBreak) -> tuple[str, ...]:
    """The way that the value went, operation by operation."""
    if not fact.path:
        return ()
    steps = [step.op for step in fact.path]
    shown = steps if len(steps) <= 8 else [*steps[:4], "…", *steps[-4:]]
    return (f"the value went through {' -> '.join(shown)}",)
