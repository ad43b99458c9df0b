"""Joins what was read, what was asked for, what an optimizer was given, and what really changed.

A program that trains nothing at all, or only evaluates, gets no word: each finding needs a variable that was trained
beside the one that was not, or an optimizer that was at hand and never used.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from tensorwhy.adapters.keras_common.learning import frozen as freezing
from tensorwhy.adapters.tensorflow.variables import copied_updates, crossed, lost_sums, lost_updates, taken, untrained
from tensorwhy.adapters.tensorflow.variables.applied import Applied
from tensorwhy.adapters.tensorflow.variables.updates import Ask
from tensorwhy.lineage import withheld
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.training import NotTrained
from tensorwhy.model.location import Location
from tensorwhy.model.question import Variable
from tensorwhy.model.report import Symptom
from tensorwhy.recording import journal as j
from tensorwhy.recording import locations
from tensorwhy.recording.sources import Sources

_STEPS = 3


def audit(session: Any) -> Iterator[CaseGroup]:
    """One group for each call site that leaves variables out."""
    tapes = session.tapes
    if not tapes.updates.asks:
        return
    tapes.updates.last_look()
    for fact in _Audit(session).facts():
        yield CaseGroup(symptom=Symptom(kind="silent", location=fact.asked), facts=(fact,))


class _Audit:
    """Reads one session. Variables are their handles."""

    def __init__(self, session: Any) -> None:
        self._session = session
        self._updates, self._applied = session.tapes.updates, session.tapes.applied
        self._known: dict[int, Variable] = session.tapes.variables
        asks: list[Ask] = self._updates.asks
        # Of several calls of a site the first: that one was recorded for sure.
        self._sites: dict[tuple[int, int], Ask] = {(ask.place, ask.owner): ask for ask in reversed(asks)}
        self._asked = {handle for ask in asks for handle in ask.handles}
        self._answers = {key for ask in asks for key in ask.gradients}
        self._asked_at = {ask.event for ask in asks}
        self._in_vain = {handle for ask in asks if not ask.handles for handle in ask.unasked}
        self._noted: set[int] = set()

    def facts(self) -> Iterator[NotTrained]:
        for found in crossed.across(self._session):
            place, instead = self._place(found.place), self._known[found.instead]
            yield self._fact("crossed", found.handles, found.ask, applied=place, instead=instead, twice=True)
        left_out: list[NotTrained] = []
        for ask in self._sites.values():
            if not ask.handles:
                continue
            yield from self._crossed(ask)
            if self._steps(ask) >= _STEPS:
                rebound = list(self._rebound(ask))
                yield from rebound
                if not rebound:
                    yield from self._never_applied(ask)
                    yield from self._dropped(ask)
                for fact in self._left_out(ask):
                    if fact.problem == "left-out":
                        left_out.append(fact)
                    else:
                        yield fact
        yield from _once(left_out)

    def _steps(self, ask: Ask) -> int:
        count: int = self._updates.calls.get(ask.owner, 0) if ask.owner else self._updates.counts[ask.place]
        return count

    def _changed(self, handle: int) -> bool:
        return handle in self._updates.watched and self._updates.watched[handle].ever_changed()

    def _given(self, ask: Ask) -> list[int]:
        """The variables for which this call gave a gradient."""
        return [h for h, key in zip(ask.handles, ask.gradients) if h >= 0 and key >= 0]

    def _rebound(self, ask: Ask) -> Iterator[NotTrained]:
        """Updates that were computed and not assigned, one fact for each statement that lost some."""
        still = [h for h in self._given(ask) if not self._changed(h) and h not in self._applied.handles]
        slopes = {h: key for h, key in zip(ask.handles, ask.gradients) if h in still}
        lines: dict[Location, list[int]] = {}
        for handle, place in (lost_updates.lost(self._session, slopes, ask.event) if slopes else {}).items():
            lines.setdefault(place, []).append(handle)
        for place, handles in lines.items():
            yield self._fact("rebound", handles, ask, applied=place)

    def _never_applied(self, ask: Ask) -> Iterator[NotTrained]:
        """Gradients that were never given to an optimizer, nor used in another way, where that was meant."""
        given = self._given(ask)
        idle = not any(self._changed(h) or h in self._applied.handles for h in given)
        if not idle or not given or len(given) < len(ask.handles) or self._computed_with(ask) or self._curvature(ask):
            return
        condition = self._condition(ask) if ask.owner else None
        copies = None if ask.owner else copied_updates.place(self._session, given, ask.gradients, ask.event)
        if ask.optimizer or condition is not None or copies is not None:
            # A program that trains nothing at all prints the norms because it wonders; another one measures.
            shown = bool(self._applied.calls) and copies is None and self._shown(ask)
            stored = lost_sums.stored(self._session, ask.gradients, ask.event)
            yield self._fact(
                "never-applied", given, ask, condition=condition, shown=shown, copies=copies, stored=stored
            )

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
        """Whether the program itself looked at these gradients, or at what it computed from them: a norm, a map."""
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
        """Whether its gradients are part of what another question is about: a penalty, a learned update."""
        lineage, gradients = self._session.lineage(), set(ask.gradients) - {-1}
        others = (other for other in self._updates.asks if other.place != ask.place)
        return any(gradients & lineage.ancestors(other.targets, other.event) for other in others)

    def _curvature(self, ask: Ask) -> bool:
        """Whether it is a gradient itself that was differentiated: for a product with the Hessian, and not to train."""
        gradients = {key for other in self._updates.asks if other.place != ask.place for key in other.gradients}
        return bool(ask.targets) and gradients.issuperset(ask.targets)

    def _dropped(self, ask: Ask) -> Iterator[NotTrained]:
        """Some of the gradients of a call were given to an optimizer, and others to nobody."""
        given = self._given(ask)
        used = [h for h in given if h in self._applied.handles]
        lost = [h for h in given if h not in self._applied.handles and not self._changed(h)]
        apart = self._apart(ask, lost)
        lost = [h for h in lost if h not in apart]
        call = next((c for c in self._applied.calls if {h for _, h in c.pairs} & set(used)), None)
        if call is not None and lost and any(map(self._changed, used)):
            yield self._fact("dropped", lost, ask, applied=self._place(call.place), others=len(used))

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

    def _crossed(self, ask: Ask) -> Iterator[NotTrained]:
        """A gradient that this call gave for one variable was handed on for another."""
        # One tensor can be the gradient of several variables: of both terms of a sum. It is nobody's then.
        once = {key for key, count in Counter(ask.gradients).items() if count == 1 and key >= 0}
        asked = {key: h for h, key in zip(ask.handles, ask.gradients) if key in once and h >= 0}
        call: Applied
        for call in self._applied.calls:
            bare = call.event in self._asked_at  # nothing was recorded between a question and this: no clip, no factor
            for given, handle in call.pairs:
                if handle not in ask.handles:
                    continue
                known = bare or given in self._answers
                key = given if known else crossed.unscaled(self._session, given, asked)
                if key in asked and asked[key] != handle:
                    place = self._place(call.place)
                    yield self._fact("crossed", [handle], ask, applied=place, instead=self._known[asked[key]])
                    return

    def _left_out(self, ask: Ask) -> Iterator[NotTrained]:
        """Variables on the way to the target, as they were made, whose gradient nobody ever asked for."""
        trained = {h for h in self._given(ask) if self._changed(h)}
        if not trained:
            return
        frozen = freezing.by_handle()
        free = [h for h in ask.unasked if self._never_reached(h)]
        yield from self._on_purpose(ask, [h for h in free if h in frozen], frozen, len(trained))
        if not ask.by_user:
            return
        free = [h for h in free if h not in frozen and h not in _told_by_keras() and not self._loaded(h, ask.event)]
        owned = self._session.tapes.layers.by_handle
        if any(h in owned for h in trained):
            free = [h for h in free if h in owned]  # a loose variable in a Keras model is told by Keras's audit
        early, place = self._made_later(ask, free) if free else ([], None)
        if early:
            yield self._fact("left-out", early, ask, others=len(trained), taken=place)
            free = [h for h in free if h not in early]
        if not free:
            return
        before, behind = self._around(ask, trained)
        found = [h for h in free if h in before]
        for late, mine in self._by_freedom(ask, found) if found and not self._another_asked(ask, found) else ():
            unreached = self._unreached(ask)
            yield self._fact("left-out", mine, ask, others=len(trained), freed=late, unreached=unreached)
        found = [h for h in free if h in behind and h not in before]
        if found:
            model = _model_of(ask, trained | set(found))
            yield self._fact("left-out", found, ask, others=len(trained), behind=True, of_model=model)

    def _by_freedom(self, ask: Ask, found: list[int]) -> Iterator[tuple[Location | None, list[int]]]:
        """These variables by the line that made them trainable after they had been left out, if one did.

        Those that were frozen as long as it was traced or asked anew, or anything was trained, are left out.
        """
        lines: dict[Location | None, list[int]] = {}
        for handle in found:
            said = freezing.freed({handle}, ask.time)
            if said is None or self._steps_since(ask, said.time) >= _STEPS:
                lines.setdefault(locations.resolve(*said.place) if said is not None else None, []).append(handle)
        yield from lines.items()

    def _steps_since(self, ask: Ask, time: int) -> int:
        """How often the traced step was called since then: an eager one asks for what is trainable each time."""
        then = self._updates.freed.get(time, {})
        count: int = self._updates.calls.get(ask.owner, 0) - then.get(ask.owner, 0)
        return count if ask.owner else 0

    def _made_later(self, ask: Ask, free: list[int]) -> tuple[list[int], Location | None]:
        """Those that belong to the models whose list is asked for, and were made after it had been taken."""
        found = taken.early(self._place(ask.place), ask.names)
        if found is None or not found[1].issuperset(ask.handles):
            return [], None
        # Handles are numbered as they are made.
        return [h for h in free if h in found[1] and h > max(ask.handles)], found[0]

    def _unreached(self, ask: Ask) -> tuple[Location, ...]:
        """The calls in the file of this one that would ask a tape for gradients, and did not run."""
        place, sources = self._place(ask.place), Sources()
        if place is None:
            return ()
        asked = [at for each in self._sites.values() if (at := self._place(each.place)) and at.file == place.file]
        calls = [
            node
            for node in sources.nodes(place.file)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "gradient"
        ]
        reached = {id(call) for call in calls for at in asked if call.lineno <= at.line <= (call.end_lineno or 0)}
        return tuple(sources.place(place.file, call) for call in calls if id(call) not in reached)

    def _another_asked(self, ask: Ask, found: list[int]) -> bool:
        """Whether the call asked for a network of the same build in their place: its Nones tell the one mistake."""
        missing = [h for h, key in zip(ask.handles, ask.gradients) if h >= 0 and key < 0]
        return bool(missing) and self._build(missing) == self._build(found)

    def _build(self, handles: Iterable[int]) -> Counter[tuple[str, int | None]]:
        """How many weights there are of each kind: by their own name, without layer and number, and their rank."""
        variables = [self._known[h] for h in handles]
        return Counter(
            (
                re.sub(r"_\d+|:0", "", variable.name).rpartition("/")[2],
                None if variable.shape is None else len(variable.shape),
            )
            for variable in variables
        )

    def _never_reached(self, handle: int) -> bool:
        return (
            handle >= 0
            and handle not in self._asked
            and handle not in self._applied.handles
            and not self._changed(handle)
            and self._known[handle].trainable is True
        )

    def _on_purpose(
        self, ask: Ask, found: list[int], frozen: dict[int, tuple[Location, str]], others: int
    ) -> Iterator[NotTrained]:
        """What the program itself made untrainable, one fact for each line that did."""
        from tensorwhy.adapters.keras_common.learning import trainability

        told = trainability.told()
        lines: dict[Location, list[int]] = {}
        for handle in set(found) - self._in_vain:  # what was asked for, and came as an empty list, is no note
            if frozen[handle][0] not in told:
                lines.setdefault(frozen[handle][0], []).append(handle)
        for place, handles in lines.items():
            layers = {frozen[handle][1] for handle in handles}
            layer = layers.pop() if len(layers) == 1 else ""
            if not self._noted.issuperset(handles):  # each phase of a training leaves out the same ones
                self._noted.update(handles)
                yield self._fact("frozen", sorted(handles), ask, frozen=place, layer=layer, others=others)

    def _loaded(self, handle: int, before: int) -> bool:
        """Whether something was stored into it after it was made: a checkpoint, weights of another model."""
        from tensorwhy.adapters.keras_common.learning.training import restored

        watched = self._updates.watched.get(handle)
        if watched is not None and restored(watched.reference()):
            return True
        journal = self._session.journal
        stores = 0
        for event in journal.events(0, before):
            if event.inputs[:1] == (handle,) and journal.names[event.name] == "AssignVariableOp":
                stores += 1
        return stores > 1

    def _around(self, ask: Ask, trained: set[int]) -> tuple[set[int], set[int]]:
        """The variables in front of one that is trained, and those behind: their values meet in an operation."""
        from tensorwhy.lineage.flow import walk

        lineage = self._session.lineage()
        flow = walk(lineage, ask.targets, ask.event)
        inputs: dict[int, list[int]] = {}
        for arm in flow.arms:
            inputs.setdefault(arm.event.index, []).append(arm.source)
        above: dict[int, set[int]] = {}

        def upstream(tensor: int) -> set[int]:
            if tensor not in above:
                above[tensor] = walk(lineage, (tensor,), ask.event, outer=flow.outer).alive & set(self._known)
            return above[tensor]

        before: set[int] = set()
        behind: set[int] = set()
        for sources in inputs.values():
            if len(sources) < 2:
                continue
            weights = [s for s in sources if len(upstream(s)) == 1]
            others = [s for s in sources if s not in weights]
            if any(upstream(s) <= trained for s in weights):
                # A penalty on what is trained meets the loss, which is computed from that already.
                before |= set().union(*(upstream(s) for s in others if trained.isdisjoint(upstream(s))))
            if any(upstream(s) & trained for s in others):
                behind |= set().union(*(upstream(s) for s in weights))
        return before, behind - trained

    def _place(self, place: int) -> Location | None:
        found: Location | None = self._session.journal.location(place)
        return found

    def _fact(self, problem: Any, handles: Iterable[int], ask: Ask, **fields: Any) -> NotTrained:
        return untrained.describe(self._session, problem, handles, ask, **fields)


def _once(left_out: list[NotTrained]) -> Iterator[NotTrained]:
    """One fact for what several calls leave out, as that of the first of them: a later site comes earlier here."""
    alike: dict[tuple[object, ...], list[NotTrained]] = {}
    for fact in left_out:
        alike.setdefault((fact.variables, fact.behind, fact.of_model, fact.freed, fact.taken), []).append(fact)
    for *later, first in alike.values():
        others = dict.fromkeys(fact.asked for fact in reversed(later) if fact.asked not in (None, first.asked))
        yield msgspec.structs.replace(first, again=tuple(others))


def _told_by_keras() -> set[int]:
    """What Keras's own audit reports: state that a model holds where Keras does not look."""
    from tensorwhy.adapters.keras_common.learning.training import described

    return described


def _model_of(ask: Ask, handles: set[int]) -> str:
    """The class of the model that asked, when all these variables are its own."""
    from tensorwhy.adapters.keras_common.learning.training import handles_of

    model = ask.model() if ask.model is not None else None
    return type(model).__name__ if model is not None and handles <= handles_of(model, "trainable_variables") else ""
