"""What the rules of the gradient family share: turning a break into words and evidence."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tensorwhy.diagnosis.asked import source_words, target_words, zeros_instead
from tensorwhy.diagnosis.reason import AND_MORE, Case, Evidence
from tensorwhy.model.facts.gradient import GradientBreak, Unused
from tensorwhy.model.facts.told import Told
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Certainty, Fix, Severity, TensorRef
from tensorwhy.source.answers.calls import call_at
from tensorwhy.source.answers.handling import catches, handles_none, wants_none, wants_refusal


def marked(location: Location | None, label: str, role: str) -> list[Marked]:
    """A list of one marked location, or of none when the place is not known."""
    return [] if location is None else [Marked.at(location, label, role)]


def severity(case: Case, fact: GradientBreak) -> Severity:
    """Return error where the None did harm that was seen, note where it is plainly meant, else warning.

    To filter a None out, or to replace it, does not show that it is meant.
    """
    if fact.told is not None and fact.told.severity is not None:
        return fact.told.severity
    question, sources = fact.question, case.sources
    failed = bool(question.error) or case.symptom.kind == "exception"
    if question.filled or (failed and catches(sources, question)):
        return "note"
    if (question.error or question.refused) and wants_refusal(sources, question):
        return "note"
    if _constant_among_sources(fact) and not failed:
        return "note"
    if question.warned or failed:
        return "error"
    if not question.chosen:
        return "note"
    if not handles_none(sources, question):
        return "warning"
    return "warning" if _is_masked(fact) and not wants_none(sources, question) else "note"


def _is_masked(fact: GradientBreak) -> bool:
    """Return whether filtering the None hides a defect: what was meant to get a gradient never gets one.

    What the program says itself may well be meant: a gradient that it stops by name, a branch that it does not take. So
    may a tensor that the target does not depend on.
    """
    source = fact.sources[0]
    independent = isinstance(fact, Unused) and fact.kind == "unused" and fact.use is None and not source.variable
    return source.left_out and fact.kind not in ("stop-gradient", "untaken-branch") and not independent


def target_of(case: Case, fact: GradientBreak) -> str:
    """The target in the user's own words."""
    return target_words(case.sources, fact.question)


def source_of(case: Case, fact: GradientBreak) -> str:
    """The source in the user's own words."""
    return source_words(case.sources, fact.question, fact.sources[0], fact.made.source)


def what(case: Case, fact: GradientBreak) -> str:
    """What every message of the family begins with: which gradient, and that there is none."""
    missing = "cannot be computed" if fact.question.error else "is None"
    if fact.question.filled:
        missing = "is None, and zeros were requested instead (`unconnected_gradients`)"
    instead = zeros_instead(case.sources, fact.question)
    if instead:
        missing = f"is None, and {instead}"
    return f"the gradient of {target_of(case, fact)} with respect to {source_of(case, fact)}{AND_MORE} {missing}"


def _constant_among_sources(fact: GradientBreak) -> bool:
    """Return whether a first gradient does not depend on the source, but on others that it was asked for together with.

    The last bias of an energy, a potential or a critic is like that: only a difference of its values means anything.
    """
    return (
        isinstance(fact, Unused)
        and fact.within_gradient
        and fact.kind == "unused"
        and fact.question.asked > len(fact.question.sources)
    )


def state_among_sources(fact: GradientBreak) -> bool:
    """Return whether the source is a state that is not trained (a moving average), asked for together with what is."""
    source, question = fact.sources[0], fact.question
    others = question.asked > len(question.sources)
    return fact.kind == "unused" and source.variable and source.trainable is False and others


def is_built_lazily(fact: GradientBreak) -> bool:
    """Return whether the source is a weight that its layer created in some call, not in its own code."""
    source, at = fact.sources[0], fact.made.source
    return source.variable and "/" in source.name and at is not None and not at.runs_once


def source_made(case: Case, fact: GradientBreak) -> list[Marked]:
    """The place where the source came into being: of a weight that is built lazily, its layer, if that is known."""
    source, at, lazily = fact.sources[0], fact.made.source, is_built_lazily(fact)
    if lazily and source.layer_made is not None:
        return marked(source.layer_made, f"the layer of {source_of(case, fact)} is created here", "source")
    return marked(
        at, f"{source_of(case, fact)} is {'created during this call' if lazily else 'created here'}", "source"
    )


def evidence(
    case: Case,
    fact: GradientBreak,
    *,
    message: str = "",
    why: str = "",
    label: str,
    related: Sequence[Marked] | None = None,
    fixes: tuple[Fix, ...] = (),
    notes: tuple[str, ...] = (),
    location: Location | None = None,
    certainty: Certainty | None = None,
    doubt: str = "",
) -> Evidence:
    """Evidence at the place of the break, with target, source and path filled in from the fact.

    `why` ends the message that says which gradient is missing. Without other places, the one that made the source is
    shown. A fact that brings the words of its framework is told in these.
    """
    message = message or f"{what(case, fact)}: {why}"
    related = source_made(case, fact) if related is None else related
    told = fact.told
    if told is not None:
        message, label, related, fixes, notes = (
            _told(case, fact, told),
            told.label,
            told.related,
            told.fixes,
            told.notes,
        )
        location, certainty = told.location, told.certainty
    primary = location or fact.location or fact.question.location
    question = fact.question
    source = fact.sources[0]
    marks = [*related, *marked(question.location, _answer(case, fact), "asked")]
    taken = set() if primary is None else {primary.order}
    kept = []
    for mark in marks:
        if mark.order not in taken:
            taken.add(mark.order)
            kept.append(mark)
    return Evidence(
        message=message,
        primary=Marked.at(primary, label) if primary is not None else None,
        related=tuple(kept),
        certainty=certainty or ("proved" if fact.exact else "likely"),
        doubt=doubt or _doubt(fact),
        severity=severity(case, fact),
        target=TensorRef(name=target_of(case, fact).strip("`"), location=fact.made.target),
        source=TensorRef(
            name=source_of(case, fact).removeprefix(f"{question.noun} ").strip("`"),
            kind="variable" if source.variable else "tensor",
            dtype=source.dtype,
            shape=source.shape,
            location=fact.made.source,
        ),
        path=fact.path,
        notes=notes,
        fixes=fixes,
    )


def _doubt(fact: GradientBreak) -> str:
    """What was not seen of a break that is not exact."""
    if fact.kind == "left-framework" and fact.entry is not None and fact.location is not None:
        lines = fact.location.line, fact.entry.line
        if fact.location.file == fact.entry.file and lines[0] < lines[1]:
            between = f"between line {lines[0]} and line {lines[1]}"
            return f"nothing was recorded {between}, where the value leaves the framework"
    return "not every operation between them was recorded"


def _told(case: Case, fact: GradientBreak, told: Told) -> str:
    return f"{told.head or what(case, fact)}: {told.why}"


def _answer(case: Case, fact: GradientBreak) -> str:
    """What the program got from its question."""
    question = fact.question
    if fact.told is not None and fact.told.asked:
        return fact.told.asked
    if question.error:
        return f"this raises {question.error}"
    if question.filled:
        return "zeros instead of None" + (
            f" for {len(question.sources)} of these {question.asked}" * (question.asked > 1)
        )
    if question.in_callback and not fact.sources[0].differentiable_dtype:
        return "this fails"
    if zeros_instead(case.sources, question):
        return "zeros are used for it here"
    if question.asked == 1:
        return "this is None"
    lost, asked = len(question.sources), question.asked
    if question.noun == "parameter":
        call = call_at(case.sources, question.location)
        holds = call is not None and isinstance(call.func, ast.Attribute) and call.func.attr == "step"
        some = "both" if lost == asked == 2 else f"all {asked}" if lost == asked else f"{lost} of the {asked}"
        return f"`.grad` is None for {some} parameters{' of this optimizer' * holds}"
    if lost == asked:
        return "both gradients are None" if asked == 2 else f"all {asked} gradients are None"
    if asked == 2:
        return f"the gradient for {source_of(case, fact)} is None, the other one is not"
    return f"{lost} of these {asked} gradients are None"
