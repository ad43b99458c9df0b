"""States that are loaded into the model that they were taken from, and still share its memory: nothing is restored."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
import torch
from torch import nn

from tensorwhy.adapters.torch.recorder import Recorder
from tensorwhy.adapters.torch.words import marked
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.report import Fix
from tensorwhy.recording import journal as j

_MOST = 256


class Taken(msgspec.Struct):
    """A state: where it was taken, and how often the values of its model had changed by then."""

    state: weakref.ref[Any]
    place: int
    version: int


class Restored(msgspec.Struct, frozen=True):
    """Where a state was taken, and where it was loaded after changes."""

    taken: int
    loaded: int


class SavedStates:
    """Follows `state_dict` and `load_state_dict` of modules."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._taken: dict[int, Taken] = {}
        self.found: dict[int, Restored] = {}

    def install(self) -> None:
        """Put the hooks in."""
        self._recorder.patches.replace(nn.Module, "state_dict", self._wrap_state)
        self._recorder.patches.replace(nn.Module, "load_state_dict", self._wrap_load)

    def _wrap_state(self, original: Any) -> Any:
        recorder = self._recorder

        def state_dict(module: Any, *args: Any, **kwargs: Any) -> Any:
            state = original(module, *args, **kwargs)
            if recorder.active and not args and "destination" not in kwargs:
                try:
                    if len(self._taken) >= _MOST:
                        self._taken = {key: each for key, each in self._taken.items() if each.state() is not None}
                    if len(self._taken) < _MOST:
                        place = recorder.place(sys._getframe(1))
                        self._taken[id(state)] = Taken(weakref.ref(state), place, _version(module))
                except Exception as error:  # the program goes on whatever happens to the recording
                    recorder.fail(error)
            return state

        state_dict.__wrapped__ = original  # type: ignore[attr-defined]
        return state_dict

    def _wrap_load(self, original: Any) -> Any:
        recorder = self._recorder

        def load_state_dict(module: Any, state_dict: Any, *args: Any, **kwargs: Any) -> Any:
            if recorder.active:
                try:
                    self._loads(module, state_dict, sys._getframe(1))
                except Exception as error:  # the program goes on whatever happens to the recording
                    recorder.fail(error)
            return original(module, state_dict, *args, **kwargs)

        load_state_dict.__wrapped__ = original  # type: ignore[attr-defined]
        return load_state_dict

    def _loads(self, module: Any, state: Any, frame: Any) -> None:
        taken = self._taken.get(id(state))
        if taken is None or taken.state() is not state:
            return
        if _version(module) > taken.version and _is_own(module, state):
            self.found.setdefault(taken.place, Restored(taken.place, self._recorder.place(frame)))

    def facts(self, journal: j.Journal) -> Iterator[Observed]:
        """One fact for each place at which such a state was taken."""
        for each in self.found.values():
            yield Observed(
                slug="not-restored",
                message="loading this state restores nothing: `state_dict()` returns the tensors of the model itself,"
                " and no copies, and they have changed since",
                label="this is no copy: it changes with the model",
                location=journal.location(each.taken),
                related=marked(journal.location(each.loaded), "it is loaded into the same model here", "loaded"),
                severity="warning",
                fixes=(Fix(summary="keep a copy: `copy.deepcopy(model.state_dict())`"),),
            )


def _version(module: Any) -> int:
    """How often the values of a module were changed."""
    return sum(each._version for each in (*module.parameters(), *module.buffers()))


def _is_own(module: Any, state: Any) -> bool:
    """Whether all tensors of a state are those of a module."""
    if not isinstance(state, Mapping):
        return False
    with torch._C.DisableTorchFunction():
        own = {*(each.data_ptr() for each in (*module.parameters(), *module.buffers()) if each.numel())}
        held = [each.data_ptr() for each in state.values() if isinstance(each, torch.Tensor) and each.numel()]
    return bool(held) and own.issuperset(held)
