"""What the rules of the gradient family share: turning a break into evidence."""

from __future__ import annotations

from collections.abc import Sequence

from tensorwhy.diagnosis.asked import handles_none, source_words, target_words
from tensorwhy.diagnosis.reason import Case, Evidence
from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix, Severity, TensorRef


def marked(location: Location | None, label: str, role: str) -> list[Marked]:
    """A list of one marked location, or of none when the place is not known."""
    return [] if location is None else [Marked.at(location, label, role)]


def severity(case: Case, fact: GradientBreak) -> Severity:
    """Error where the None did harm that was seen, note where the program visibly expects it, else warning."""
    if fact.question.warned or fact.question.error or case.symptom.kind == "exception":
        return "error"
    return "note" if handles_none(case.sources, fact.question) else "warning"


def evidence(
    case: Case,
    fact: GradientBreak,
    *,
    message: str,
    label: str,
    related: Sequence[Marked] = (),
    fixes: tuple[Fix, ...] = (),
    notes: tuple[str, ...] = (),
    location: Location | None = None,
) -> Evidence:
    """Evidence at the place of the break, with target, source and path filled in from the fact."""
    primary = location or fact.location or fact.question.location
    question = fact.question
    asked = marked(question.location, "the gradient is asked for here", "asked")
    source = fact.sources[0]
    places = [primary, *related]
    return Evidence(
        message=message,
        primary=Marked.at(primary, label) if primary is not None else None,
        related=tuple(
            mark
            for index, mark in enumerate([*related, *asked])
            if all(mark.order != other.order for other in [*places[:1], *related[:index]] if other is not None)
        ),
        certainty="proved" if fact.exact else "likely",
        severity=severity(case, fact),
        target=TensorRef(name=target_words(case.sources, question).strip("`"), location=fact.target_made),
        source=TensorRef(
            name=source_words(case.sources, question, source).removeprefix("variable ").strip("`"),
            kind="variable" if source.variable else "tensor",
            dtype=source.dtype,
            shape=source.shape,
            location=fact.source_made,
        ),
        path=fact.path,
        notes=notes,
        fixes=fixes,
    )
