"""Link "asked": the variables that a training step reads and asks no gradient for.

A program that only evaluates gets no word: each finding needs a variable that was trained beside the one that was not.
"""

from __future__ import annotations

import ast
import functools
import re
from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from tensorwhy.adapters.keras_common.learning import frozen as freezing
from tensorwhy.adapters.keras_common.learning import untracked
from tensorwhy.adapters.tensorflow.ledger.rows import STEPS, Rows
from tensorwhy.adapters.tensorflow.variables import hidden, taken
from tensorwhy.adapters.tensorflow.variables.updates import Ask
from tensorwhy.model.facts.training import NotAsked
from tensorwhy.model.location import Location
from tensorwhy.recording import locations
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_Found = list[tuple[NotAsked, tuple[int, ...]]]


def fill(rows: Rows) -> None:
    """Enter what each call site leaves out. Several sites that leave out the same are told as the first of them."""
    reader = _LeftOut(rows)
    found: _Found = []
    for ask in rows.sites.values():
        if ask.handles and rows.steps(ask) >= STEPS:
            found += reader.left_out(ask)
    sources = Sources()
    for cause, handles in _once(found):
        rows.broken("asked", handles, cause)
    place = functools.partial(untracked.set_at, sources=sources)
    for ask in rows.sites.values():
        if ask.hidden and rows.steps(ask) >= STEPS and any(map(rows.changed, rows.given(ask))):
            known = [each for each in ask.hidden if reader.never_reached(each.handle)]
            for fact, own in hidden.facts(known, rows.place(ask.place), place):
                rows.broken("tracked", own, fact)


def fill_empty(rows: Rows) -> None:
    """Enter gradients that were asked for an empty list, while the tape read variables: of a model that was frozen.

    A program that gives lists to optimizers, and none that is empty, knows that this one can be.
    """
    if rows.applied.calls and not rows.applied.empty:
        return
    seen = set()
    asked = {handle for ask in rows.updates.asks for handle in ask.handles}
    for ask in rows.updates.asks:
        if ask.handles or not ask.unasked or ask.place in seen or not ask.by_user:
            continue  # what Keras asks for, it was told to train: its own adapter knows that
        seen.add(ask.place)
        frozen = freezing.by_handle()
        read = [h for h in ask.unasked if h in frozen] or [h for h in ask.unasked if h >= 0 and h not in asked]
        if not read:
            continue  # other lists hold all that was read
        place, layer = frozen.get(read[0], (None, ""))
        cause = rows.cause(NotAsked, "nothing-asked", ask, frozen=place, layer=layer, refused=rows.applied.refused)
        rows.broken("asked", read, cause)


class _LeftOut:
    """Reads one session. Variables are their handles."""

    def __init__(self, rows: Rows) -> None:
        self._rows, self._session = rows, rows.session
        self._updates, self._applied = rows.updates, rows.applied
        asks: list[Ask] = self._updates.asks
        self._asked = {handle for ask in asks for handle in ask.handles}
        self._in_vain = {handle for ask in asks if not ask.handles for handle in ask.unasked}

    def left_out(self, ask: Ask) -> Iterator[tuple[NotAsked, tuple[int, ...]]]:
        """Variables on the way to the target, as they were made, whose gradient nobody ever asked for."""
        trained = {h for h in self._rows.given(ask) if self._rows.changed(h)}
        if not trained:
            return
        frozen = freezing.by_handle()
        free = [h for h in ask.unasked if self.never_reached(h)]
        yield from self._on_purpose(ask, [h for h in free if h in frozen], frozen, len(trained))
        if not ask.by_user:
            return
        free = [h for h in free if h not in frozen and h not in _told_by_keras() and not self._loaded(h, ask.event)]
        owned = self._session.tapes.layers.by_handle
        if any(h in owned for h in trained):
            free = [h for h in free if h in owned]  # a loose variable in a Keras model is told by Keras's audit
        early, place = self._made_later(ask, free) if free else ([], None)
        if early:
            yield self._rows.cause(NotAsked, "left-out", ask, others=len(trained), taken=place), tuple(early)
            free = [h for h in free if h not in early]
        if not free:
            return
        before, behind = self._around(ask, trained)
        found = [h for h in free if h in before]
        for late, mine in self._by_freedom(ask, found) if found and not self._another_asked(ask, found) else ():
            unreached = self._unreached(ask)
            cause = self._rows.cause(NotAsked, "left-out", ask, others=len(trained), freed=late, unreached=unreached)
            yield cause, tuple(mine)
        found = [h for h in free if h in behind and h not in before]
        if found:
            model = _model_of(ask, trained | set(found))
            cause = self._rows.cause(NotAsked, "left-out", ask, others=len(trained), behind=True, of_model=model)
            yield cause, tuple(found)

    def _by_freedom(self, ask: Ask, found: list[int]) -> Iterator[tuple[Location | None, list[int]]]:
        """These variables by the line that made them trainable after they had been left out, if one did.

        Those that were frozen as long as it was traced or asked anew, or anything was trained, are left out.
        """
        lines: dict[Location | None, list[int]] = {}
        for handle in found:
            said = freezing.freed({handle}, ask.time)
            if said is None or self._steps_since(ask, said.time) >= STEPS:
                lines.setdefault(locations.resolve(*said.place) if said is not None else None, []).append(handle)
        yield from lines.items()

    def _steps_since(self, ask: Ask, time: int) -> int:
        """How often the traced step was called since then: an eager one asks for what is trainable each time."""
        then = self._updates.freed.get(time, {})
        count: int = self._updates.calls.get(ask.owner, 0) - then.get(ask.owner, 0)
        return count if ask.owner else 0

    def _made_later(self, ask: Ask, free: list[int]) -> tuple[list[int], Location | None]:
        """Those that belong to the models whose list is asked for, and were made after it had been taken."""
        found = taken.early(self._rows.place(ask.place), ask.names)
        if found is None or not found[1].issuperset(ask.handles):
            return [], None
        # Handles are numbered as they are made.
        return [h for h in free if h in found[1] and h > max(ask.handles)], found[0]

    def _unreached(self, ask: Ask) -> tuple[Location, ...]:
        """The calls in the file of this one that would ask a tape for gradients, and did not run."""
        place, sources = self._rows.place(ask.place), Sources()
        if place is None:
            return ()
        asked = [
            at for each in self._rows.sites.values() if (at := self._rows.place(each.place)) and at.file == place.file
        ]
        calls = [
            node
            for node in sources.nodes(place.file)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "gradient"
        ]
        reached = {id(call) for call in calls for at in asked if reading.on_line(call, at.line)}
        return tuple(sources.place(place.file, call) for call in calls if id(call) not in reached)

    def _another_asked(self, ask: Ask, found: list[int]) -> bool:
        """True if the call asked for a network of the same build in their place: its Nones tell the one mistake."""
        missing = [h for h, key in zip(ask.handles, ask.gradients) if h >= 0 and key < 0]
        return bool(missing) and self._build(missing) == self._build(found)

    def _build(self, handles: Iterable[int]) -> Counter[tuple[str, int | None]]:
        """How many weights there are of each kind: by their own name, without layer and number, and their rank."""
        variables = [self._rows.known[h] for h in handles]
        return Counter(
            (
                re.sub(r"_\d+|:0", "", variable.name).rpartition("/")[2],
                None if variable.shape is None else len(variable.shape),
            )
            for variable in variables
        )

    def never_reached(self, handle: int) -> bool:
        """Return whether a trainable variable was neither asked for nor changed."""
        return (
            handle >= 0
            and handle not in self._asked
            and handle not in self._applied.handles
            and not self._rows.changed(handle)
            and self._rows.known[handle].trainable is True
        )

    def _on_purpose(
        self, ask: Ask, found: list[int], frozen: dict[int, tuple[Location, str]], others: int
    ) -> Iterator[tuple[NotAsked, tuple[int, ...]]]:
        """What the program itself made untrainable, one cause for each line that did."""
        from tensorwhy.adapters.keras_common.learning import trainability

        told = trainability.told()
        lines: dict[Location, list[int]] = {}
        for handle in set(found) - self._in_vain:  # what was asked for, and came as an empty list, is no note
            if frozen[handle][0] not in told:
                lines.setdefault(frozen[handle][0], []).append(handle)
        for place, handles in lines.items():
            layers = {frozen[handle][1] for handle in handles}
            layer = layers.pop() if len(layers) == 1 else ""
            cause = self._rows.cause(NotAsked, "frozen", ask, frozen=place, layer=layer, others=others)
            yield cause, tuple(sorted(handles))

    def _loaded(self, handle: int, before: int) -> bool:
        """Return whether something was stored into it after it was made: a checkpoint, weights of another model."""
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
                above[tensor] = walk(lineage, (tensor,), ask.event, outer=flow.outer).alive & set(self._rows.known)
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


def _once(found: _Found) -> Iterator[tuple[NotAsked, tuple[int, ...]]]:
    """Join what several calls leave out to one cause, that of the first of them: a later site comes earlier here."""
    alike: dict[tuple[object, ...], _Found] = {}
    for cause, handles in found:
        if cause.problem == "left-out":
            alike.setdefault((handles, cause.behind, cause.of_model, cause.freed, cause.taken), []).append(
                (cause, handles)
            )
        else:
            yield cause, handles
    for *later, (first, handles) in alike.values():
        others = dict.fromkeys(each.asked for each, _ in reversed(later) if each.asked not in (None, first.asked))
        yield msgspec.structs.replace(first, again=tuple(others)), handles


def _told_by_keras() -> set[int]:
    """What Keras's own audit reports: state that a model holds where Keras does not look."""
    from tensorwhy.adapters.keras_common.learning.training import described

    return described


def _model_of(ask: Ask, handles: set[int]) -> str:
    """The class of the model that asked, when all these variables are its own."""
    from tensorwhy.adapters.keras_common.learning.training import handles_of

    model = ask.model() if ask.model is not None else None
    return type(model).__name__ if model is not None and handles <= handles_of(model, "trainable_variables") else ""
