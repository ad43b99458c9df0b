"""Terms of a loss that are constants to its gradient: they were computed before the tape was opened.

The other terms give each variable a gradient, so nothing is None, and the forgotten term only shows in how training
ends. What is told needs all of this: the term is added to others in the sum that was differentiated, it was computed in
the same step from variables that the gradient was asked for, and no way back to them was recorded.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from tensorwhy.adapters.tensorflow.replays.traits import trait_of
from tensorwhy.adapters.tensorflow.variables import described
from tensorwhy.lineage.flow import walk
from tensorwhy.lineage.kernel_reads import tensor_of
from tensorwhy.lineage.prediction import Prediction
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.gradient import ConstantTerm
from tensorwhy.model.question import GradientQuestion, Source
from tensorwhy.model.report import Symptom
from tensorwhy.recording import journal as j

_SUMS = frozenset({"Add", "AddV2", "AddN"})
_DEPTH = 64


def groups(session: Any) -> Iterator[CaseGroup]:
    """One group for each such term of a gradient that was asked for in training."""
    updates, applied = session.tapes.updates, session.tapes.applied
    first = {(ask.place, ask.owner): ask for ask in reversed(updates.asks)}
    for ask in first.values():
        given = [h for h, key in zip(ask.handles, ask.gradients) if h >= 0 and key >= 0 and h in applied.handles]
        opened = session.tapes.created.get(ask.tape, -1)
        if given and opened >= 0 and len(ask.targets) == 1:
            for term, place in _terms(session, ask, given, opened):
                reached = walk(session.lineage(), (term,), ask.event).alive.intersection(given)
                fact = ConstantTerm(
                    sources=described.variables(session, sorted(reached)),
                    made=place,
                    asked=session.journal.location(ask.place),
                    opened=session.journal.location(session.journal.event(opened).place),
                    recorder="tape",
                )
                yield CaseGroup(symptom=Symptom(kind="silent", location=fact.asked), facts=(fact,))


def _terms(session: Any, ask: Any, given: list[int], opened: int) -> Iterator[tuple[int, Any]]:
    lineage, journal = session.lineage(), session.journal
    summands = _summands(lineage, ask.targets[0], opened, ask.event)
    early = [(tensor, row) for tensor, row in summands if 0 <= row < opened]
    if not early or len(early) == len(summands):
        return
    question = GradientQuestion(
        event=ask.event,
        place=ask.place,
        recorder=ask.tape,
        targets=ask.targets,
        sources=tuple(Source(tensor=handle, variable=True) for handle in given),
        asked=len(given),
        location=None,
    )
    for tensor, row in early:
        if walk(lineage, (tensor,), ask.event).alive.isdisjoint(given):
            continue
        own = Prediction(lineage, msgspec.structs.replace(question, targets=(tensor,)))
        place = journal.location(journal.event(row).place)
        if place is not None and not any(own.arrives(handle) for handle in given):
            yield tensor, place


def _summands(lineage: Any, target: int, opened: int, before: int) -> list[tuple[int, int]]:
    """The terms of the sum that a target is, each with the row that made it (-1: none).

    What was made before the tape was opened is a term as a whole.
    """
    found, stack = [], [(target, False, 0)]
    while stack:
        tensor, added, depth = stack.pop()
        rows = [event for event in lineage.makers(tensor) if event.index < before and event.kind <= j.GRAPH_OP]
        event = rows[-1] if rows else None
        if event is None or event.index < opened or depth > _DEPTH:
            found.append((tensor, event.index if event is not None and added else -1))
            continue
        name = lineage.op_name(event)
        inputs = [source for value in event.inputs if (source := tensor_of(value)) > 0]
        floating = [source for source in inputs if lineage.is_differentiable(source)]
        if name in _SUMS:
            stack += [(source, True, depth + 1) for source in floating]
        elif trait_of(name) in ("move", "cast", "multiply") and len(floating) == 1:
            stack.append((floating[0], added, depth + 1))
        elif trait_of(name) == "multiply" and len(floating) == 2:
            constant = [
                each for each in floating if not any(v > 0 for made in lineage.makers(each) for v in made.inputs)
            ]
            others = [each for each in floating if each not in constant]
            stack += (
                [(each, added, depth + 1) for each in others] if len(others) == 1 else [(tensor, False, _DEPTH + 1)]
            )
        else:
            found.append((tensor, event.index if added else -1))
    return found
