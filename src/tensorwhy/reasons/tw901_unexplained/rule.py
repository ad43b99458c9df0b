"""TW901 unexplained: something was lost, and no rule knows why."""

from __future__ import annotations

from tensorwhy.diagnosis.gradient import evidence, marked, source_made, source_of, target_of, what
from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.gradient import Gap, GradientBreak, Unused
from tensorwhy.model.report import Fix

META = about(
    __name__,
    summary="A gradient was lost for an unknown reason: the report shows what was observed and does not guess.",
    severity="warning",
)


def match(case: Case) -> Evidence | None:
    """Holds when a gradient was asked for, is None, and no other reason matched."""
    fact = case.fact
    if not isinstance(fact, GradientBreak):
        return None
    if isinstance(fact, Unused) and fact.gap is not None:
        return _unrecorded(case, fact, fact.gap) if fact.gap.used is None else _unseen(case, fact, fact.gap)
    return evidence(
        case,
        fact,
        location=fact.question.location,
        message=f"{what(case, fact)}, and no known reason explains it",
        label="the gradient is computed here",
        related=[
            *source_made(case, fact),
            *marked(fact.made.target, f"{target_of(case, fact)} is created here", "target"),
        ],
        notes=_between(fact),
    )


def _unseen(case: Case, fact: Unused, gap: Gap) -> Evidence:
    """What the target is made of was there before its recorder, and nobody saw what it was made of itself."""
    while_ = "while recording was paused" if gap.rested else "while nothing was recorded"
    source, recorder = source_of(case, fact), fact.question.recorder_noun
    return evidence(
        case,
        fact,
        location=gap.used,
        why=f"it was not used in the recorded steps, and another tensor that is used here "
        f"was created before this {recorder} was opened, {while_}",
        label=f"this uses a tensor that was created {while_}; it may depend on {source}",
        related=[
            *source_made(case, fact),
            *marked(fact.made.target, f"{target_of(case, fact)} is created here", "target"),
        ],
        notes=(_RESTS,) if gap.rested else (),
        fixes=(
            Fix(
                summary=f"if it is computed from {source}, compute it inside the {recorder}, "
                "which cannot see earlier operations"
            ),
            Fix(
                summary="to see how it was computed, run with `--record full`, or use "
                '`tensorwhy.record("full")` from the beginning'
            ),
        ),
    )


def _unrecorded(case: Case, fact: Unused, gap: Gap) -> Evidence:
    """The program ended at a None, in a step that was not recorded."""
    source, recorder = source_of(case, fact), fact.question.recorder_noun
    saw = {
        True: f"the {recorder} saw {source} used, and the path from it to {target_of(case, fact)} breaks later",
        False: f"the {recorder} did not see {source} used: it was not used, or not while the {recorder} recorded",
    }
    return evidence(
        case,
        fact,
        location=fact.question.location,
        why="this did not happen in the recorded steps, and recording was paused in this one",
        label="the gradient is computed here",
        notes=(saw[gap.recorder_saw],) if gap.recorder_saw is not None else (),
        fixes=(Fix(summary="run it again with `--record full`: the report then names the line where the path breaks"),),
    )


_RESTS = (
    "recording pauses between steps once every gradient call is known; tensors created then are known only by their use"
)


def _between(fact: GradientBreak) -> tuple[str, ...]:
    """The way that the value went, operation by operation."""
    if not fact.path:
        return ()
    steps = [step.op for step in fact.path]
    shown = steps if len(steps) <= 8 else [*steps[:4], "…", *steps[-4:]]
    return (f"the value passed through {' -> '.join(shown)}",)
