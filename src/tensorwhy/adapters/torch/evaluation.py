"""Models that are trained in evaluation mode, because nobody put them back into training mode."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Iterator
from typing import Any

import msgspec
import torch
from torch import nn

from tensorwhy.adapters.torch.optimizer_state import State
from tensorwhy.adapters.torch.recorder import Recorder
from tensorwhy.adapters.torch.words import marked
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.report import Fix
from tensorwhy.recording import journal as j

_MOST = 64
_OFTEN = 5
"""So many steps in evaluation mode are no accident of how a program ends."""
_DROPOUT = nn.modules.dropout._DropoutNd
_NORM = nn.modules.batchnorm._NormBase


class Turned(msgspec.Struct):
    """A module that was put into evaluation mode at a place, and how many steps each optimizer had made by then.

    `trained`: an optimizer goes on with it all the same, its steps since then, and the layers that work otherwise now.
    """

    module: weakref.ref[Any]
    place: int
    steps: dict[int, int]
    trained: tuple[State, int, tuple[str, ...]] | None = None


class Evaluation:
    """Follows `eval()` of modules in training mode."""

    def __init__(self, recorder: Recorder, states: dict[int, State]) -> None:
        self._recorder = recorder
        self._states = states
        self.turned: dict[int, Turned] = {}

    def install(self) -> None:
        """Put the hook in."""
        self._recorder.patches.replace(nn.Module, "eval", self._wrap)

    def _wrap(self, original: Any) -> Any:
        recorder = self._recorder

        def eval(module: Any) -> Any:
            if recorder.active and module.training and (len(self.turned) < _MOST or id(module) in self.turned):
                try:
                    steps = {state.key: state.steps for state in self._states.values()}
                    place = recorder.place(sys._getframe(1))
                    self.turned[id(module)] = Turned(weakref.ref(module), place, steps)
                except Exception as error:  # the program goes on whatever happens to the recording
                    recorder.fail(error)
            return original(module)

        eval.__wrapped__ = original  # type: ignore[attr-defined]
        return eval

    def step(self, state: State) -> None:
        """An optimizer makes a step: look at the models now and then, as they may be gone at the end."""
        for turned in self.turned.values():
            since = state.steps - turned.steps.get(state.key, 0)
            if since == _OFTEN or (since > _OFTEN and not since & (since - 1)):
                self._look(turned)

    def _look(self, turned: Turned) -> None:
        """Note which optimizer trains a model that is in evaluation mode."""
        module = turned.module()
        if module is None:
            return
        turned.trained = None
        if any(each.training for each in module.modules()):
            return
        kinds = tuple(sorted({type(each).__name__ for each in module.modules() if _behaves_otherwise(each)}))
        parameters = {id(each) for each in module.parameters() if each.requires_grad}
        for state in self._states.values() if kinds else ():
            before = turned.steps.get(state.key, 0)
            mine = parameters & state.members.keys()
            if before and state.steps - before >= _OFTEN and len(mine) * 2 > len(state.members):
                turned.trained = state, state.steps - before, kinds

    def facts(self, journal: j.Journal) -> Iterator[Observed]:
        """One fact for each model that was trained on in evaluation mode."""
        for turned in self.turned.values():
            self._look(turned)
            if turned.trained is not None:
                yield self._left(turned, *turned.trained, journal)

    def _left(self, turned: Turned, state: State, steps: int, kinds: tuple[str, ...], journal: j.Journal) -> Observed:
        named = " and ".join(f"`{each}`" for each in kinds[:2])
        return Observed(
            slug="statistics-never-moved",
            message=f"the last {steps} of {state.steps} steps of this {state.kind} train in evaluation mode: {named}"
            " worked as in training before, and no longer do",
            label="evaluation mode begins here, and nothing ends it",
            location=journal.location(turned.place),
            related=marked(journal.location(state.place), "training goes on here", "step"),
            severity="warning",
            fixes=(
                Fix(
                    summary="call `train()` of the model before training goes on",
                    caveat="unless statistics and dropout should rest from here on",
                ),
            ),
        )


def _behaves_otherwise(module: Any) -> bool:
    """Whether a layer computes something else in evaluation mode."""
    if isinstance(module, _DROPOUT):
        return bool(module.p)
    return isinstance(module, _NORM) and isinstance(module.running_mean, torch.Tensor)
