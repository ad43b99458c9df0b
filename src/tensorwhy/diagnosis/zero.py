"""What the rules of the zero-gradient family share: words and evidence for an operation that blocks a gradient."""

from __future__ import annotations

from collections.abc import Sequence

from tensorwhy.diagnosis.asked import target_words, variable_name
from tensorwhy.diagnosis.reason import AND_MORE, Case, Evidence
from tensorwhy.model.facts.zero import ZeroGradient
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.question import Source
from tensorwhy.model.report import Certainty, Fix, Severity, TensorRef


def name_of(case: Case, source: Source) -> str:
    """Return the variable's own name, or the user's name for it if it has none."""
    return variable_name(case.sources, source.name, source.made) or "a variable"


def what(case: Case, fact: ZeroGradient) -> str:
    """Return the start of every message of the family: which gradient is zero."""
    name = name_of(case, fact.sources[0])
    return f"the gradient of {target_of(case, fact)} with respect to variable `{name}`{AND_MORE} is zero"


def target_of(case: Case, fact: ZeroGradient) -> str:
    """Return what was differentiated, as the user wrote it."""
    words = target_words(case.sources, fact.question)
    return "the loss" if words == "the target" else words


def as_it_should_be(fact: ZeroGradient) -> bool:
    """Return whether the zero is correct: the loss is at its minimum, or a plain number switches a part off.

    It is also correct if the slope of a network of ReLUs does not depend on its biases, or if a divergence from itself
    has no slope and its curvature is wanted.
    """
    if fact.kind == "cancelled" and fact.differentiated:
        return True
    if fact.kind == "flat" and fact.within_gradient:
        return not fact.everything
    if fact.kind in ("dead", "flat") and fact.at_the_end and fact.elements:
        return not fact.everything or bool(fact.question.target_zero)
    return fact.kind == "given" or (fact.kind == "masked" and fact.scalar and not fact.everything)


def evidence(
    case: Case,
    fact: ZeroGradient,
    *,
    message: str,
    label: str,
    location: Location | None = None,
    related: Sequence[Marked] = (),
    notes: tuple[str, ...] = (),
    fixes: tuple[Fix, ...] = (),
    certainty: Certainty | None = None,
) -> Evidence:
    """Return evidence at the place where the gradient becomes zero."""
    primary = location or fact.location or fact.question.location
    question = fact.question
    marks = [*related]
    if question.location is not None and (primary is None or question.location.line != primary.line):
        said = f"zero in each of {question.steps} steps" if question.steps else "the gradient is computed here"
        marks.append(Marked.at(question.location, said, "asked"))
    refs = tuple(_ref(case, source) for source in fact.sources)
    target = target_words(case.sources, question).strip("`")
    return Evidence(
        message=message,
        primary=Marked.at(primary, label) if primary is not None else None,
        related=tuple(mark for mark in marks if primary is None or mark.order != primary.order),
        certainty=certainty or ("proved" if fact.exact else "likely"),
        severity=_severity(fact),
        target=TensorRef(name=target),
        source=refs[0],
        also=refs[1:],
        notes=(*notes, *_seen(fact)),
        fixes=fixes,
    )


def _severity(fact: ZeroGradient) -> Severity:
    if not fact.trained or (fact.kind == "masked" and not fact.everything):
        return "note"
    unseen = fact.question.graph and not fact.question.copy and not fact.exact
    if unseen and fact.kind in ("dead", "saturated", "flat"):
        return "note"  # a gradient that is too small to change anything looks the same
    return "warning"


def _seen(fact: ZeroGradient) -> tuple[str, ...]:
    if fact.question.graph and fact.question.steps:
        steps = fact.question.steps
        kept = f"these variables did not change in {steps} steps"
        if fact.question.copy:
            given = "the first samples that it received" if fact.question.copy == "given" else "made-up arguments"
            return (f"observed in a copy of the traced step, called with {given}; {kept}",)
        return (f"values inside the traced function were not observed; {kept}",)
    return ()


def _ref(case: Case, source: Source) -> TensorRef:
    return TensorRef(
        name=name_of(case, source), kind="variable", dtype=source.dtype, shape=source.shape, location=source.made
    )
