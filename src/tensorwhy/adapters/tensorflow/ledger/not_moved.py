"""Links "gradient", "update" and "kept": an optimizer was given a gradient, and the value stayed as it was.

What is certain comes first: a learning rate of zero, or gradients that were seen and were not zero. Without either, a
gradient of zero may be right (an embedding that these samples do not use), so only a program in which nothing at all
changed, or variables whose gradient was zero in every step while others learned, are reported.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import msgspec

from tensorwhy.adapters.tensorflow.ledger import other_values, replayed_updates
from tensorwhy.adapters.tensorflow.ledger.rows import STEPS, Rows
from tensorwhy.adapters.tensorflow.tensor_ids import handle_of
from tensorwhy.adapters.tensorflow.variables import (
    given_zeros,
    lost_sums,
    taken_back,
)
from tensorwhy.adapters.tensorflow.variables.updates import Ask
from tensorwhy.adapters.tensorflow.variables.used import Used
from tensorwhy.model.facts.training import NotHanded, NotMoved
from tensorwhy.model.ledger import Link
from tensorwhy.model.location import Location

_TRIED = 16
"""So many variables whose gradient is always zero are tried at other values."""


def fill(rows: Rows, understood: Collection[int]) -> None:
    """Enter what stood still; `understood` are variables whose zeros have been explained."""
    if not rows.applied.calls or _weights_are_zero():
        return
    moved = {handle for handle, watched in rows.updates.watched.items() if watched.ever_changed()}
    for ask in rows.sites.values():
        site = _Site(rows, ask, moved, set(understood))
        for used in rows.applied.optimizers:
            site.read(used)


class _Site:
    """One call that asks for gradients. Variables are their handles.

    `zero`: the gradient was zero once, `other` that it was not, `always` each time that it was looked at; `large` are
    those whose gradient was once more than what rounding leaves; `alive` are those of a traced step whose gradient is
    not zero in a copy of it.
    """

    def __init__(self, rows: Rows, ask: Ask, moved: set[int], understood: set[int]) -> None:
        self._rows, self._ask, self._moved, self._understood = rows, ask, moved, understood
        tapes = rows.session.tapes
        given = {h for h in rows.given(ask) if h in rows.applied.handles}
        still = given - moved - understood
        self._others = len(given & moved)
        self._still = {h for h in still if not rows.is_broken(h) and rows.updates.watched[h].span() >= STEPS}

        def handles(positions: set[int]) -> set[int]:
            return {ask.handles[i] for i in positions if i < len(ask.handles)}

        self._zero = handles(tapes.zeros.ever_zero(ask.place))
        self._other = handles(tapes.zeros.ever_other(ask.place))
        self._large = handles(tapes.zeros.ever_large(ask.place))
        self._always = handles(tapes.zeros.always_zero(ask.place))
        self._alive = tapes.stalled.alive.get((ask.place, ask.owner), set())

    def read(self, used: Used) -> None:
        """Enter why an optimizer did not move what it was given gradients for."""
        watched = self._rows.updates.watched
        found = {h for h in self._still & used.handles if watched[h].span() >= max(STEPS, used.every)}
        found = {h for h in found if not self._rows.is_broken(h)}
        if not found:
            return
        used.look_again()
        rate, schedule = (None, None)
        if not self._moved & used.handles:  # one that falls to 0 has moved what it can
            rate, schedule = used.learning_rate()
        common = {"others": self._others, "optimizer": used.made}
        cause = self._rows.cause(NotMoved, "never-changed", self._ask, **common)
        if used.skipped_all:
            self._enter("update", found, cause, skipped=True)
            return
        if rate == 0:
            lowered = _lowered(self._rows.session, used.optimizer())
            self._enter("update", found, cause, rate=rate, schedule=schedule, lowered=lowered)
            return
        others_learn = bool(self._moved & self._rows.applied.handles)
        nonzero = self._with_gradient(found, others_learn)
        if nonzero:
            self._with_values(used, nonzero, cause)
        found -= nonzero
        zeros = found & self._always if not self._ask.owner else set()
        if zeros and not self._understood & {*self._ask.handles}:
            # What makes others zero in the same step may make these zero, too.
            self._always_zero(zeros, cause, others_learn)
        if not others_learn and found - zeros and not nonzero:
            self._unknown(found - zeros, used, cause)

    def _always_zero(self, zeros: set[int], cause: NotMoved, others_learn: bool) -> None:
        """Enter those that nothing moves; while others learn, only those that have a gradient at another value."""
        if not others_learn:
            self._enter("gradient", zeros, cause, nonzero=False)
            return
        back = {h: other_values.comes_back(self._rows.session, self._ask, h) for h in sorted(zeros)[:_TRIED]}
        told = {h for h in zeros if back.get(h)}
        if told:
            self._enter("gradient", told, cause, nonzero=False, comes_back=back[min(told)])

    def _with_gradient(self, found: set[int], others_learn: bool) -> set[int]:
        """Those whose gradient was seen to have other values than zero."""
        nonzero = found & self._alive if self._ask.owner else found & self._other - self._zero
        if not others_learn:
            return nonzero
        # What is at its optimum gets what rounding leaves.
        if not self._ask.owner:
            return nonzero & self._large
        return {h for h in nonzero if replayed_updates.is_large(self._rows.session, self._ask, h)}

    def _with_values(self, used: Used, found: set[int], cause: NotMoved) -> None:
        """The gradient is there: what was given, what it did, and what came after it."""
        session = self._rows.session
        summed = lost_sums.place(session, found, self._ask.gradients, self._ask.event)
        if summed is not None:
            lost = self._rows.cause(NotHanded, "rebound", self._ask, applied=summed, summed=True)
            self._rows.broken("handed", found, lost)
            return
        zeros = None if self._ask.owner else given_zeros.places(session, found)
        for handles, replayed in replayed_updates.lost(self._rows, self._ask, used, found) if zeros is None else ():
            self._enter("update", handles, cause, nonzero=True, replayed=replayed)
            found = found - handles
        if not found:
            return
        if self._ask.owner:
            over = taken_back.over_in_graph(session, found)
            self._enter("kept", found, cause, nonzero=True, over=over)
            return
        restored = taken_back.place(session, found)
        if restored is None and zeros is not None:
            self._enter("handed", found, cause, nonzero=True, applied=zeros[0], zeroed=zeros[1])
            return
        over = taken_back.over(session, found) if restored is None else None
        self._enter("kept", found, cause, nonzero=True, restored=restored, over=over)

    def _unknown(self, found: set[int], used: Used, cause: NotMoved) -> None:
        """Nothing at all changed, and no gradient was seen, as in a traced step."""
        for handles, replayed in replayed_updates.lost(self._rows, self._ask, used, found):
            self._enter("update", handles, cause, replayed=replayed)
            found = found - handles
        if found:
            over = taken_back.over_in_graph(self._rows.session, found) if self._ask.owner else None
            self._enter("kept", found, cause, over=over)

    def _enter(self, link: Link, found: set[int], cause: NotMoved, **fields: Any) -> None:
        self._rows.broken(link, sorted(found), msgspec.structs.replace(cause, **fields))


def _lowered(session: Any, optimizer: Any) -> Location | None:
    """The line that set the learning rate last, after its first value."""
    handle = handle_of(getattr(optimizer, "learning_rate", None))
    return given_zeros.last_store(session, handle, session.journal.position, again=True) if handle >= 0 else None


def _weights_are_zero() -> bool:
    from tensorwhy.adapters.keras_common.learning import weighing

    return any(True for _ in weighing.facts())
