"""TW504 loop-structure: a traced loop or branch gives a variable another dtype or structure, or has no condition."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.model.facts.loops import LoopStructureChange, NoCondition
from tensorwhy.model.location import Location, Marked
from tensorwhy.reasons.tw504_loop_structure import condition, words

META = ReasonMeta(
    code="TW504",
    slug="loop-structure",
    family="loop",
    summary="A loop variable or a branch result has different types on different paths, or a condition is not a "
    "truth value.",
)


def match(case: Case) -> Evidence | None:
    """Holds when the values on two ways through a traced loop or branch were seen to be of different kinds."""
    fact = case.fact
    if isinstance(fact, NoCondition):
        return condition.evidence(fact)
    if not isinstance(fact, LoopStructureChange):
        return None
    said = words.of(fact)
    places = {"before": fact.before, "changed": fact.changed, "statement": fact.statement}
    primary, label = _primary(places, (*said.at, ("statement", said.statement)))
    marks = (("before", said.before), ("changed", said.changed), ("statement", said.traced))
    return Evidence(
        message=said.message,
        primary=Marked.at(primary, label, "primary"),
        related=tuple(
            Marked.at(place, text, role)
            for role, text in marks
            if (place := places[role]) is not None and text and place != primary
        ),
        certainty="likely" if fact.inferred else "proved",
        fixes=said.fixes,
    )


def _primary(places: dict[str, Location | None], at: tuple[tuple[str, str], ...]) -> tuple[Location, str]:
    """The line to change: the first of a row's places that is known. That of the statement always is."""
    return next((place, label) for name, label in at if (place := places[name]) is not None)
