"""TW504 loop-structure: a traced loop or branch gives a variable another dtype or structure, or has no condition."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.loops import LoopStructureChange, NoCondition
from tensorwhy.reasons.tw504_loop_structure import condition, words

META = about(
    __name__,
    summary="A loop variable or a branch result has different types on different paths, or a condition is not a "
    "truth value.",
)


def match(case: Case) -> Evidence | None:
    """Holds when the values on two ways through a traced loop or branch were seen to be of different kinds."""
    fact = case.fact
    if isinstance(fact, NoCondition):
        return condition.evidence(fact)
    return words.evidence(fact) if isinstance(fact, LoopStructureChange) else None
