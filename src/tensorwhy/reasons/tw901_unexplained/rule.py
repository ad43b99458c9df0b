"""TW901 unexplained: something was lost, and no rule knows why."""

from __future__ import annotations

from tensorwhy.diagnosis.gradient import evidence, marked, source_made, target_of, what
from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.model.facts.gradient import GradientBreak

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
    return evidence(
        case,
        fact,
        location=fact.question.location,
        message=f"{what(case, fact)}, and no known reason explains it",
        label="asked for here",
        related=[
            *source_made(case, fact),
            *marked(fact.target_made, f"{target_of(case, fact)} is made here", "target"),
        ],
        notes=_between(fact),
    )


def _between(fact: GradientBreak) -> tuple[str, ...]:
    """The way that the value went, operation by operation."""
    if not fact.path:
        return ()
    steps = [step.op for step in fact.path]
    shown = steps if len(steps) <= 8 else [*steps[:4], "…", *steps[-4:]]
    return (f"the value went through {' -> '.join(shown)}",)
