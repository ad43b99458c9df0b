"""Questions that a program asked: those that need an answer, and what the user saw of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import msgspec

from tensorwhy.model.question import GradientQuestion
from tensorwhy.model.report import Symptom, SymptomKind


def distinct(
    questions: list[GradientQuestion], sites: Mapping[int, tuple[int, int]] | None = None
) -> Iterable[GradientQuestion]:
    """A training loop asks the same question at each step: the first two of each call site are enough.

    `sites` tells of each how often it was recorded, and how often with a None: one question may stand for many.
    """
    alike = Counter(map(_alike, questions))
    kinds = Counter(place for place, _ in {(question.place, _alike(question)) for question in questions})
    seen: Counter[object] = Counter()
    for question in questions:
        key = _alike(question)
        seen[key] += 1
        if seen[key] == 1:
            steps, nones = (sites or {}).get(question.place, (0, 0)) if kinds[question.place] == 1 else (0, 0)
            yield msgspec.structs.replace(question, times=nones or alike[key], steps=steps)
        elif seen[key] == 2:
            yield msgspec.structs.replace(question, times=0)


def _alike(question: GradientQuestion) -> tuple[object, ...]:
    return question.location, tuple((source.position, source.name) for source in question.sources)


def symptom(question: GradientQuestion) -> Symptom:
    """What the user saw: an exception, a None, or zeros in its place."""
    if question.error:
        return Symptom(
            kind="exception", message=f"{question.error} while computing the gradient", location=question.location
        )
    if question.in_callback and any(not source.differentiable_dtype for source in question.sources):
        return Symptom(kind="exception", message="TypeError while computing the gradient", location=question.location)
    if question.filled or question.in_callback:
        return Symptom(kind="none-gradient", message="zeros replace a None", location=question.location)
    kind: SymptomKind = "warning" if question.warned else "none-gradient"
    message = "None reached the optimizer" if question.warned else "the gradient is None"
    return Symptom(kind=kind, message=message, location=question.location)
