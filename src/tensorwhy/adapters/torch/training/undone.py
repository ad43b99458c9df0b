"""States that a model has loaded, and that are gone again before it is trained, or after one step.

The program itself has drawn other values since, or an optimizer has copies of its own.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from typing import Any, NamedTuple

import torch
from torch import nn

from tensorwhy.adapters.torch.operations.rules import STORE
from tensorwhy.adapters.torch.recording.hooks import Call, watch
from tensorwhy.adapters.torch.recording.recorder import Recorder
from tensorwhy.adapters.torch.recording.serials import Weak
from tensorwhy.adapters.torch.training.optimizer_state import State
from tensorwhy.adapters.torch.words.saying import say
from tensorwhy.model.facts.told import Observed
from tensorwhy.recording import journal as j

_MOST, _EACH = 32, 4
"""So many loads are followed, and so many of one place."""
_SIZE = 1 << 16
"""The numbers of one parameter that are copied."""
_FRESH = frozenset({"normal_", "uniform_", "zero_", "fill_", "random_", "bernoulli_", "exponential_", "log_normal_"})
"""What gives a parameter values that do not depend on those that it had."""
_NEAR = 0.1
"""Back where it was: so many times nearer to the values of before than to those that were loaded."""


class Load(NamedTuple):
    """One load: a parameter that it changed, with its values before and after. `row` is where the journal was.

    `born`: the last number that a tensor had by then. `weights` are the numbers of all that have more than one axis.
    """

    place: int
    of: str
    parameter: Weak
    before: Any
    loaded: Any
    row: int
    born: int
    weights: frozenset[int]


class Undone:
    """Follows loads until the second `backward` after each."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._loaded: dict[int, weakref.ref[Any]] = {}
        """The modules that got a state, by their ids: what a program defines need not be hashable."""
        self._waiting: list[Load] = []
        self._used: list[Load] = []
        self._count: dict[int, int] = {}
        self._found: list[tuple[Load, int, float, float]] = []
        self._drawn: dict[int, tuple[Load, int]] = {}
        """By place: a load of which other values took the place, before a gradient was computed, and where they did."""

    def install(self) -> None:
        """Put the hooks in."""
        watch(self._recorder, nn.Module, "load_state_dict", self._begins, self._ends)

    def _begins(self, call: Call) -> None:
        if len(self._count) >= _MOST or not self._recorder.mine():
            return
        with torch._C.DisableTorchFunction():
            call.kept = next(
                (
                    (each, each.detach().clone())
                    for each in call.args[0].parameters()
                    if each.is_floating_point() and 1 < each.numel() <= _SIZE and each.dim() > 1 and not each.is_meta
                ),
                None,
            )

    def has_state(self, module: Any) -> bool:
        """Return whether a module got a state from elsewhere."""
        known = self._loaded.get(id(module))
        return known is not None and known() is module

    def _ends(self, call: Call) -> None:
        self._loaded[id(call.args[0])] = weakref.ref(call.args[0])
        place = self._recorder.place(call.frame)
        count = self._count[place] = self._count.get(place, 0) + 1
        if call.kept is None or count > _EACH:
            return
        parameter, before = call.kept
        self._used = [each for each in self._used if each.parameter() is not parameter]  # the program goes on itself
        self._waiting = [each for each in self._waiting if each.parameter() is not parameter]
        with torch._C.DisableTorchFunction():
            loaded = parameter.detach().clone()
            if loaded.shape == before.shape and not torch.equal(loaded, before):
                kind, row, serials = (
                    type(call.args[0]).__name__,
                    self._recorder.journal.position,
                    self._recorder.serials,
                )
                matrices = (each for each in call.args[0].parameters() if each.dim() > 1)
                weights = frozenset(serials.known(each) or 0 for each in matrices)
                self._waiting.append(Load(place, kind, Weak(parameter), before, loaded, row, serials.last, weights))

    def computed(self) -> None:
        """A `backward` has returned."""
        if not self._waiting and not self._used:
            return
        with torch._C.DisableTorchFunction():
            for each in self._used:
                now = each.parameter()
                if now is None:
                    continue
                back, away = (float((now.detach() - other).abs().max()) for other in (each.before, each.loaded))
                if back < _NEAR * away:
                    self._found.append((each, self._recorder.serials.known(now) or 0, back, away))
            waiting, self._used, self._waiting = self._waiting, [], []
            for load in waiting:
                now = load.parameter()
                if now is not None and torch.equal(now.detach(), load.loaded):
                    self._used.append(load)
                elif now is not None and (place := self._draws(load)) is not None:
                    self._drawn[load.place] = load, place

    def _draws(self, load: Load) -> int | None:
        """Where all weights that were loaded got new values; None where one of them was used before, or kept."""
        journal, places, left = self._recorder.journal, list[int](), set(load.weights)
        for event in journal.events(load.row):
            if event.kind > j.RECORDED or left.isdisjoint(event.inputs):
                continue
            if journal.names[event.name].removeprefix(STORE) not in _FRESH:
                return None
            left.discard(event.inputs[0])
            places.append(event.place)
        return places[0] if places and not left else None

    def facts(self, states: list[State]) -> Iterator[Observed]:
        """One fact for each load that training took back."""
        at, journal = self._recorder.journal.location, self._recorder.journal
        for load, place in self._drawn.values():
            yield say("load-overdrawn", at(place), {"loaded": at(load.place)}, kind=load.of)
        for load, number, back, away in {each[0].place: each for each in self._found}.values():
            stored = [
                event.place
                for event in journal.events(load.row)
                if event.kind == j.OP
                and journal.names[event.name] in self._recorder.stores
                and event.inputs[0] == number
            ]
            if any(number in state.members.values() for state in states):
                continue  # nothing keeps copies of these
            own = [state.made for state in states if state.born <= load.born]
            lines = {"stored": at(stored[0]) if stored else None, "optimizer": at(own[-1]) if own else None}
            yield say("load-undone", at(load.place), lines, kind=load.of, back=back, away=away)
