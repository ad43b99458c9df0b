"""Parameters that are frozen when they should not be: after a call that freezes them for a gradient of its own, and
while the gradients are computed that a step is to use."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from tensorwhy.adapters.torch.questions.asking import Backward
from tensorwhy.adapters.torch.seen import Reader
from tensorwhy.adapters.torch.training.optimizer_state import State
from tensorwhy.adapters.torch.words.saying import say
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location

_OFTEN = 2


class StillFrozen(Reader):
    """Reads who froze the parameters of an optimizer, at the end of a run in which some made steps."""

    def facts(self) -> Iterator[Observed]:
        """One fact for each line that freezes parameters of an optimizer, or thaws them too late."""
        for state in self._states:
            found = defaultdict[int, list[int]](list)
            for number in state.resting:
                place, leaf = self._recorder.frozen.get(number, -1), self._session.training.fates.leaves.get(number)
                if place >= 0 and (leaf is None or not leaf.arrived):  # what was trained before may rest by now
                    found[place].append(number)
            for place, numbers in found.items():
                yield from self._from(state, place, numbers)

            if state.late >= _OFTEN and state.thawed:
                place = max({*state.thawed.values()})
                numbers = [number for number, each in state.thawed.items() if each == place]
                about = [self._ref(each) for each in numbers]
                lines = {"asked": self._at(state.backward), "step": self._at(state.place)}
                name = f"`{about[0].name}`" if about[0].name else "a parameter"
                yield say("thawed-late", self._at(place), lines, about, name=name, late=state.late, kind=state.kind)

    def _from(self, state: State, place: int, numbers: list[int]) -> Iterator[Observed]:
        chain, steps = self._chain(place), self._chain(state.place)
        for at, frame in enumerate(chain):
            call = chain[at + 1 :]
            if frame.function.startswith("<") or not call or _passes(steps, frame):
                continue
            inside = [
                each for each in self._session.asking.backwards if _is_inside(self._chain(each.place), frame, call)
            ]
            used = [number for number in numbers if self._is_used(number, inside, state)]
            if used:
                about = [self._ref(each) for each in used]
                lines = {"asked": self._at(inside[-1].place), "call": call[0], "step": self._at(state.place)}
                name, within = about[0].name or "a parameter", frame.function.rpartition(".")[2]
                yield say("still-frozen", chain[0], lines, about, name=name, within=within, kind=state.kind)
                return

    def _is_used(self, number: int, inside: list[Backward], state: State) -> bool:
        """Whether the gradients of the call, and those of all later steps, went through a parameter."""
        later = [each for each in self._session.asking.backwards if state in each.users]
        behind = self._session.lineage().ancestors
        return all(part and all(number in behind(e.targets, e.event) for e in part) for part in (inside, later))


def _passes(chain: list[Location], frame: Location) -> bool:
    """Whether a chain goes through the function of a frame."""
    return any((each.file, each.function) == (frame.file, frame.function) for each in chain)


def _is_inside(chain: list[Location], frame: Location, call: list[Location]) -> bool:
    """Whether a chain goes through the same call of that function."""
    at = len(chain) - len(call) - 1
    return at >= 0 and chain[at + 1 :] == call and _passes(chain[at : at + 1], frame)
