"""Variables that an optimizer was given a gradient for in each step, and whose value stayed as it was.

What is certain comes first: a learning rate of zero, or gradients that were seen and were not zero. Without either, a
gradient of zero may be right (an embedding that these samples do not use), so only a program in which nothing at all
changed is reported.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from tensorwhy.adapters.tensorflow.tensor_ids import handle_of
from tensorwhy.adapters.tensorflow.variables import given_zeros, learning_rate, lost_sums, taken_back, untrained
from tensorwhy.adapters.tensorflow.variables.updates import Ask
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.location import Location
from tensorwhy.model.report import Symptom

_STEPS = 3


def groups(session: Any, understood: set[int]) -> Iterator[CaseGroup]:
    """One group for each call site of `tape.gradient`; `understood` are variables whose zeros have been explained."""
    tapes = session.tapes
    updates, applied = tapes.updates, tapes.applied
    if not applied.calls or _weights_are_zero():
        return
    sites: dict[tuple[int, int], Ask] = {(ask.place, ask.owner): ask for ask in reversed(updates.asks)}
    moved = {handle for handle, watched in updates.watched.items() if watched.ever_changed()}
    told = set(understood)
    for ask in sites.values():
        given = {h for h, key in zip(ask.handles, ask.gradients) if h >= 0 and key >= 0} & applied.handles
        still = {h for h in given - moved - told if updates.watched[h].span() >= _STEPS}
        zero = {ask.handles[i] for i in tapes.zeros.ever_zero(ask.place) if i < len(ask.handles)}
        large = {ask.handles[i] for i in tapes.zeros.ever_large(ask.place) if i < len(ask.handles)}
        always = {ask.handles[i] for i in tapes.zeros.always_zero(ask.place) if i < len(ask.handles)}
        for used in applied.optimizers:
            found = {h for h in still & used.handles if updates.watched[h].span() >= max(_STEPS, used.every)}
            optimizer = used.optimizer()
            rate = None
            if not moved & used.handles:  # one that falls to 0 has moved what it can
                rate = used.rate if optimizer is None else learning_rate.now(optimizer)
            nonzero = not ask.owner and not found & zero
            if nonzero and rate != 0 and moved & applied.handles:
                found &= large  # what is at its optimum gets no more than rounding leaves
            if found and (rate == 0 or nonzero or not moved & applied.handles):
                told |= found
                nothing = not ask.owner and found <= always
                if nothing and rate != 0 and understood & {*ask.handles}:
                    continue  # what makes the others zero in the same step may make these zero, too
                summed = lost_sums.place(session, found, ask.gradients, ask.event) if rate != 0 else None
                if summed is not None:
                    lost = untrained.describe(session, "rebound", sorted(found), ask, applied=summed, summed=True)
                    yield CaseGroup(symptom=Symptom(kind="silent", location=lost.asked), facts=(lost,))
                    continue
                restored = taken_back.place(session, found) if nonzero and rate != 0 else None
                zeros = given_zeros.places(session, found) if nonzero and rate != 0 and restored is None else None
                over = None
                if ask.owner and rate != 0:
                    over = taken_back.over_in_graph(session, found)
                elif nonzero and rate != 0 and not restored and not zeros:
                    over = taken_back.over(session, found)
                fact = untrained.describe(session, "never-changed", sorted(found), ask, others=len(given & moved))
                fact = msgspec.structs.replace(
                    fact,
                    rate=rate,
                    nonzero=nonzero or (False if nothing else None),
                    optimizer=used.made,
                    restored=restored,
                    over=over,
                    lowered=_lowered(session, optimizer) if rate == 0 else None,
                    applied=zeros[0] if zeros is not None else None,
                    zeroed=zeros[1] if zeros is not None else None,
                )
                yield CaseGroup(symptom=Symptom(kind="silent", location=fact.asked), facts=(fact,))


def _lowered(session: Any, optimizer: Any) -> Location | None:
    """The line that set the learning rate last, after its first value."""
    handle = handle_of(getattr(optimizer, "learning_rate", None))
    return given_zeros.last_store(session, handle, session.journal.position, again=True) if handle >= 0 else None


def _weights_are_zero() -> bool:
    from tensorwhy.adapters.keras_common.learning import weighing

    return any(True for _ in weighing.facts())
