"""Gradients that were asked for an empty list of variables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tensorwhy.adapters.keras_common.learning import frozen as freezing
from tensorwhy.adapters.tensorflow.variables import untrained
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.report import Symptom


def groups(session: Any) -> Iterator[CaseGroup]:
    """One for each such line, while the tape read variables: of a model that was frozen.

    A program that gives lists to optimizers, and none that is empty, knows that this one can be.
    """
    tapes = session.tapes
    if tapes.applied.calls and not tapes.applied.empty:
        return
    seen = set()
    asked = {handle for ask in tapes.updates.asks for handle in ask.handles}
    for ask in tapes.updates.asks:
        if ask.handles or not ask.unasked or ask.place in seen or not ask.by_user:
            continue  # what Keras asks for, it was told to train: its own adapter knows that
        seen.add(ask.place)
        frozen = freezing.by_handle()
        read = [h for h in ask.unasked if h in frozen] or [h for h in ask.unasked if h >= 0 and h not in asked]
        if not read:
            continue  # other lists hold all that was read
        said = frozen.get(read[0])
        fact = untrained.describe(
            session,
            "nothing-asked",
            read,
            ask,
            frozen=said[0] if said is not None else None,
            layer=said[1] if said is not None else "",
            refused=tapes.applied.refused,
        )
        yield CaseGroup(symptom=Symptom(kind="silent", location=fact.asked), facts=(fact,))
