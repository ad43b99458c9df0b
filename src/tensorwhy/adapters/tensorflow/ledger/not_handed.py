"""Link "handed": gradients that were computed, and that no optimizer was given for their own variables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from tensorwhy.adapters.tensorflow.ledger.rows import STEPS, Rows
from tensorwhy.adapters.tensorflow.variables import copied_updates, crossed, lost_sums, lost_updates
from tensorwhy.adapters.tensorflow.variables.updates import Ask
from tensorwhy.lineage import withheld
from tensorwhy.model.facts.training import NotHanded
from tensorwhy.model.location import Location
from tensorwhy.recording import journal as j
from tensorwhy.source.files import Sources


def fill(rows: Rows) -> None:
    """Enter what each call site computes, and what became of it."""
    for found in crossed.across(rows.session):
        place, instead = rows.place(found.place), rows.known[found.instead]
        cause = rows.cause(NotHanded, "crossed", found.ask, applied=place, instead=instead, twice=True)
        rows.broken("handed", found.handles, cause)
    reader = _Handed(rows)
    for ask in rows.sites.values():
        if ask.handles:
            reader.read(ask)


class _Handed:
    """Reads one session. Variables are their handles."""

    def __init__(self, rows: Rows) -> None:
        self._rows, self._session = rows, rows.session
        self._updates, self._applied = rows.updates, rows.applied
        self._answers = {key for ask in self._updates.asks for key in ask.gradients}
        self._asked_at = {ask.event for ask in self._updates.asks}

    def read(self, ask: Ask) -> None:
        """Enter what became of the gradients of one call site."""
        self._crossed(ask)
        if self._rows.steps(ask) >= STEPS and not self._rebound(ask):
            self._never_applied(ask)
            self._dropped(ask)

    def _broken(self, problem: str, handles: Iterable[int], ask: Ask, **fields: Any) -> None:
        self._rows.broken("handed", handles, self._rows.cause(NotHanded, problem, ask, **fields))

    def _rebound(self, ask: Ask) -> bool:
        """Enter updates that were computed and not assigned, one cause for each statement that lost some."""
        still = [h for h in self._rows.given(ask) if not self._rows.changed(h) and h not in self._applied.handles]
        slopes = {h: key for h, key in zip(ask.handles, ask.gradients) if h in still}
        lines: dict[Location, list[int]] = {}
        for handle, place in (lost_updates.lost(self._session, slopes, ask.event) if slopes else {}).items():
            lines.setdefault(place, []).append(handle)
        for place, handles in lines.items():
            self._broken("rebound", handles, ask, applied=place)
        return bool(lines)

    def _never_applied(self, ask: Ask) -> None:
        """Enter gradients that were never given to an optimizer, nor used in another way, where that was meant."""
        given = self._rows.given(ask)
        idle = not any(self._rows.changed(h) or h in self._applied.handles for h in given)
        if not idle or not given or len(given) < len(ask.handles) or self._computed_with(ask) or self._curvature(ask):
            return
        if self._stored_by_hand(ask, given):
            return
        condition = self._condition(ask) if ask.owner else None
        copies = None if ask.owner else copied_updates.place(self._session, given, ask.gradients, ask.event)
        if ask.optimizer or condition is not None or copies is not None:
            # A program that trains nothing at all prints the norms because it wonders; another one measures.
            shown = bool(self._applied.calls) and copies is None and self._shown(ask)
            stored = lost_sums.stored(self._session, ask.gradients, ask.event)
            self._broken("never-applied", given, ask, condition=condition, shown=shown, copies=copies, stored=stored)

    def _stored_by_hand(self, ask: Ask, given: Iterable[int]) -> bool:
        """Return whether a variable was assigned what its gradients gave: then they were applied, and were zero."""
        lineage, gradients = self._session.lineage(), set(ask.gradients) - {-1}
        stored = (event for handle in given for event in lineage.assignments(handle) if event.index > ask.event)
        return any(gradients & lineage.ancestors(event.inputs[1:], event.index) for event in stored)

    def _condition(self, ask: Ask) -> Location | None:
        """What kept the application of these gradients out of the graph."""
        journal = self._session.journal
        rows = list(journal.events(0, journal.position))
        executed = {frame.location for place in {row.place for row in rows} for frame in journal.chain(place)}
        asked = journal.chain(ask.place)
        later = (journal.chain(row.place) for row in rows if row.index > ask.event and row.kind == j.OP)
        outside = next((chain for chain in later if chain and asked[-len(chain) :] == chain), ())
        return withheld.condition(Sources(), [f.location for f in asked[: len(asked) - len(outside)]], executed)

    def _shown(self, ask: Ask) -> bool:
        """True if the program itself looked at these gradients, or at what it computed from them: a norm, a map."""
        journal, functions = self._session.journal, self._session.rules().functions
        held = set(ask.gradients) - {-1}
        for row in journal.events(ask.event, journal.position):
            name = journal.names[row.name]
            if row.kind == j.EXIT and name.endswith(j.DIRECT) and row.inputs[0] in held:
                return True
            called = functions.get(name.partition("|")[0]) if row.kind <= j.RECORDED else None
            given = row.inputs if called is None else (*row.inputs, *called.outputs)
            if row.kind <= j.RECORDED and not held.isdisjoint(given):
                held.update(row.outputs)
        return False

    def _computed_with(self, ask: Ask) -> bool:
        """Return whether its gradients are part of what another question is about: a penalty, a learned update."""
        lineage, gradients = self._session.lineage(), set(ask.gradients) - {-1}
        others = (other for other in self._updates.asks if other.place != ask.place)
        return any(gradients & lineage.ancestors(other.targets, other.event) for other in others)

    def _curvature(self, ask: Ask) -> bool:
        """True if it is a gradient itself that was differentiated: for a product with the Hessian, and not to train."""
        gradients = {key for other in self._updates.asks if other.place != ask.place for key in other.gradients}
        return bool(ask.targets) and gradients.issuperset(ask.targets)

    def _dropped(self, ask: Ask) -> None:
        """Enter where some of the gradients of a call were given to an optimizer, and others to nobody."""
        given = self._rows.given(ask)
        used = [h for h in given if h in self._applied.handles]
        lost = [h for h in given if h not in self._applied.handles and not self._rows.changed(h)]
        apart = self._apart(ask, lost)
        lost = [h for h in lost if h not in apart]
        call = next((c for c in self._applied.calls if {h for _, h in c.pairs} & set(used)), None)
        if call is not None and lost and any(map(self._rows.changed, used)):
            self._broken("dropped", lost, ask, applied=self._rows.place(call.place), others=len(used))

    def _apart(self, ask: Ask, lost: list[int]) -> set[int]:
        """Of these variables those whose gradient alone is used: logged, stacked with others of its kind, returned."""
        slopes = {key: h for h, key in zip(ask.handles, ask.gradients) if h >= 0 and key >= 0}
        wanted = {key for key, h in slopes.items() if h in lost}
        if not wanted:
            return set()
        journal, functions = self._session.journal, self._session.rules().functions.values()
        used: dict[int, set[int]] = {}
        for row in journal.events(ask.event, journal.position):
            if row.kind <= j.EXIT and row.place != ask.place:  # its own rows: one can be on the way to another
                used.setdefault(row.place, set()).update(slopes.keys() & set(row.inputs))
        for keys in (*used.values(), *(slopes.keys() & set(function.outputs) for function in functions)):
            if keys <= wanted:
                wanted -= keys
        return {h for key, h in slopes.items() if h in lost and key not in wanted}

    def _crossed(self, ask: Ask) -> None:
        """Enter a gradient that this call gave for one variable was handed on for another."""
        # One tensor can be the gradient of several variables: of both terms of a sum. It is nobody's then.
        once = {key for key, count in Counter(ask.gradients).items() if count == 1 and key >= 0}
        asked = {key: h for h, key in zip(ask.handles, ask.gradients) if key in once and h >= 0}
        for call in self._applied.calls:
            bare = call.event in self._asked_at  # nothing was recorded between a question and this: no clip, no factor
            for given, handle in call.pairs:
                if handle not in ask.handles:
                    continue
                known = bare or given in self._answers
                key = given if known else crossed.unscaled(self._session, given, asked)
                if key in asked and asked[key] != handle:
                    place, instead = self._rows.place(call.place), self._rows.known[asked[key]]
                    self._broken("crossed", [handle], ask, applied=place, instead=instead)
                    return
