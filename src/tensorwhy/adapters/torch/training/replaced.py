"""Parameters that took the place of others after an optimizer was made, which goes on with those that it has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import torch

from tensorwhy.adapters.torch.recording.modules import Modules
from tensorwhy.adapters.torch.recording.recorder import Recorder
from tensorwhy.adapters.torch.recording.serials import Weak
from tensorwhy.adapters.torch.training.between_steps import members, values
from tensorwhy.adapters.torch.training.optimizer_state import State

_LOOKS = 32
"""So often all parameters are looked at after new ones were made."""
_SIZE = 1 << 22
"""So many numbers are copied, to see whether a step changes them."""


class _Suspects(NamedTuple):
    """What a step is expected to leave as it is: new parameters with their values, and old ones with gradients."""

    state: State
    new: dict[int, tuple[Weak, Any]]
    old: list[tuple[Weak, Any]]


class Replaced:
    """Looks after steps whether a model has parameters by now that its optimizer lacks, in the place of members.

    `found` has the optimizer of each, by number. Members that had gradients get none any more, and no module lists
    them; new parameters of the same model get gradients, and the next step of the optimizer leaves them as they are.
    """

    def __init__(self, recorder: Recorder, modules: Modules, given: Callable[[], set[int]]) -> None:
        self._recorder = recorder
        self._modules = modules
        self._given = given
        self._left = _LOOKS
        self._suspects: _Suspects | None = None
        self.found: dict[int, State] = {}

    def stepped(self, state: State) -> int:
        """An optimizer has made a step; return the next one to tell of, unless a parameter is made before that."""
        made = len(self._recorder.parameters)
        if made != state.met:
            state.met_at = state.steps - 1 if state.met else state.steps  # at first, all that it has is new
            state.met = made
        since = state.steps - state.met_at
        suspects = self._suspects if self._suspects is not None and self._suspects.state is state else None
        if suspects is not None or (since > 0 and not since & (since - 1) and state.steps > 1 and self._left):
            with self._recorder.hidden(), torch._C.DisableTorchFunction():
                if suspects is not None:
                    self._suspects = None
                    self._confirm(suspects)
                else:
                    self._look(state, state.optimizer())
        waiting = self._suspects is not None and self._suspects.state is state
        return state.steps + 1 if waiting else state.met_at + (1 << since.bit_length())

    def _look(self, state: State, optimizer: Any) -> None:
        born = {
            number: parameter
            for number, reference in self._recorder.parameters.items()
            if number > state.born and (parameter := reference()) is not None and parameter.grad is not None
        }
        new = born.keys() - self._given() - self.found.keys() if born else set[int]()
        if not new or not self._modules.knows_all():
            return
        self._left -= 1
        self._modules.learn()
        names, known = self._modules.names, self._recorder.serials.known
        listed = {id(each) for module in self._modules.alive() for each in module.parameters(recurse=False)}
        old = [
            each
            for each in members(optimizer)
            if id(each) not in listed and (number := known(each)) in names and state.nones.get(number) != state.steps
        ]
        roots = {names[known(each) or 0][1:] for each in old}
        whole = 0 < len(old) == len(members(optimizer))  # nothing that it has belongs to a model any more
        suspects = {
            number: born[number]
            for number in new & names.keys()
            if id(born[number]) in listed and (whole or names[number][1:] in roots) and born[number].requires_grad
        }
        if suspects and sum(each.numel() for each in suspects.values()) <= _SIZE:
            self._suspects = _Suspects(
                state,
                {number: (Weak(each), each.detach().clone()) for number, each in suspects.items()},
                [(Weak(each), _gradient(each)) for each in old],
            )

    def _confirm(self, suspects: _Suspects) -> None:
        """A further step was made: what it has changed is trained, and what gets other gradients is used."""
        for reference, gradient in suspects.old:
            member = reference()
            if member is not None and (now := _gradient(member)) is not None and now != gradient:
                return
        for number, (reference, value) in suspects.new.items():
            parameter = reference()
            rests = parameter is not None and parameter.grad is not None and torch.equal(parameter.detach(), value)
            if rests:
                self.found[number] = suspects.state


def _gradient(parameter: Any) -> tuple[int, int] | None:
    """What tells one gradient from another; None for one that is zero, too."""
    grad = values(parameter.grad) if parameter.grad is not None else None
    return (grad.data_ptr(), grad._version) if grad is not None and bool(grad.any()) else None
