"""What the ledger of gradients comes to at the end: those that no step uses, and those that are used more than once."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from tensorwhy.adapters.torch.seen import Reader, Recording
from tensorwhy.adapters.torch.training.optimizer_state import State
from tensorwhy.adapters.torch.words.saying import say
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location
from tensorwhy.source.files import Sources

_OFTEN = 3


class FateFacts(Reader):
    """Reads the ledger."""

    def __init__(self, session: Recording, sources: Sources) -> None:
        super().__init__(session, sources)
        self._fates = session.training.fates
        self._asked = self._at(session.asking.last_place)

    def facts(self) -> Iterator[Observed]:
        """One fact for each mistake."""
        for state in self._states:
            yield from self._steps(state)
        yield from self._by_hand()

    # -- steps of optimizers -------------------------------------------------------------------------------------

    def _steps(self, state: State) -> Iterator[Observed]:
        """Steps without gradients, with those of earlier steps, or with only a part of what was computed for them."""
        step, kind, steps = self._at(state.place), state.kind, state.followed
        lines = {"step": step, "asked": self._asked}
        if state.cleared_steps >= steps and state.cleared >= 0:
            yield say("cleared", self._at(state.cleared), lines, kind=kind)
            return
        often = state.summed > 1 and 2 * state.summed >= steps - 1 and not state.closures.summed
        if steps >= _OFTEN and often:
            seldom, owner = state.summed < steps - 1, self._owner(step, "optimizer")
            where = self._at(state.clears) if seldom else None
            key = "summed-often" if seldom else "summed"
            seen = f"its {steps} steps" if steps == state.steps else f"the {steps} steps that were followed"
            yield say(key, where or step, lines, kind=kind, steps=seen, owner=owner, summed=state.summed)
        elif state.repeated >= _OFTEN and state.repeated >= steps - 1:
            where, calls = self._at(state.repeating), steps + state.repeated
            yield say("repeated", where, lines, kind=kind, calls=calls, repeated=state.repeated)
        yield from self._parts(state, lines)

    def _parts(self, state: State, lines: dict[str, Location | None]) -> Iterator[Observed]:
        """Steps that use only some of the calls of `backward`, or only a part of what one of them gave."""
        windows, members = state.windows, {*state.members.values()}
        if len(windows) < 2 or state.closures.steps or members & (self._read | self._changed_by_hand()):
            return
        if self._recorder.watched:
            return  # a `backward` may be meant for the gradients of results alone, as in class activation maps
        used = self._session.training.used.union(
            *(self._fates.leaves[n].read for n in self._read & self._fates.leaves.keys())
        )
        unused = [each.lost.keys() - used if each.now else set[int]() for each in windows]
        last = windows[-1]
        if all(unused):
            size, lost = len(last.now | last.lost.keys()), unused[-1]
            where = self._at(last.lost[max(lost)].place)
            yield say("dropped", where, lines, kind=state.kind, size=size, lost=len(lost))
        elif all(each.parts for each in windows):
            found = last.parts[max(last.parts)]
            other = next((each.kind for each in self._states if each.key == found.by), "optimizer")
            yield say("part-cleared", self._at(found.place), lines, kind=state.kind, other=other)

    @functools.cached_property
    def _read(self) -> set[int]:
        return self._computed_with()

    # -- leaves that no optimizer has ----------------------------------------------------------------------------

    def _by_hand(self) -> Iterator[Observed]:
        """The program itself changes a leaf by its gradient: with earlier ones, too, or with none."""
        said = set[tuple[str, int]]()
        for number, leaf in self._fates.leaves.items():
            summed, cleared = leaf.summed >= leaf.steps - 1, leaf.cleared >= leaf.steps
            key = "hand-summed" if summed else "hand-cleared" if cleared else ""
            where = self._at(leaf.where if key == "hand-cleared" else leaf.place)
            if leaf.steps < _OFTEN or not key or where is None or (key, leaf.place) in said:
                continue
            said.add((key, leaf.place))
            name = self._bound(self._made(number))
            lines = {"step": self._at(leaf.place), "asked": self._asked}
            text = f"`{name}`" if name else "this tensor"
            yield say(key, where, lines, name=text, owner=name or "x", steps=leaf.steps)
