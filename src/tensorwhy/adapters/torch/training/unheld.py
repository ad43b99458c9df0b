"""Leaves that get gradients and that no optimizer has, looked at while they are alive.

What a function made is gone once the program has ended.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import torch

from tensorwhy.adapters.torch.recording.modules import Modules
from tensorwhy.adapters.torch.recording.recorder import Recorder
from tensorwhy.adapters.torch.training.fates import Leaf

_MOST = 1_000
"""So many of them are remembered."""


class Bare(NamedTuple):
    """A leaf that is no parameter of a module, and the attribute of a module of the class `owner` that has it."""

    path: str
    owner: str


class Whole(NamedTuple):
    """A module of which no optimizer has anything: its class, parameters, and so many numbers they have.

    `own` is the class of the program's own that gives it parameters that are no layer's; `alone`: it has no others.
    """

    kind: str
    numbers: tuple[int, ...]
    size: int
    own: str
    alone: bool


class Unheld:
    """What was seen of such leaves."""

    def __init__(self, recorder: Recorder, modules: Modules, is_loaded: Callable[[Any], bool]) -> None:
        self._recorder = recorder
        self._is_loaded = is_loaded
        self._modules = modules
        self.bare: dict[int, Bare] = {}
        self.whole: dict[int, Whole] = {}
        """By the number of the first parameter."""
        self.sizes: dict[int, int] = {}
        """So many numbers each leaf of an optimizer has."""

    def look(self, leaves: Mapping[int, Leaf], given: set[int]) -> None:
        """Look at those that got gradients, beside the leaves that optimizers were given."""
        found = ((number, leaf.tensor()) for number, leaf in leaves.items() if leaf.arrived and number not in given)
        alive = {number: tensor for number, tensor in found if tensor is not None}
        for number, tensor in alive.items():
            self.bare.pop(number, None)
            if len(self.bare) < _MOST and self._is_bare(tensor):
                self.bare[number] = Bare(*self._modules.attribute(tensor))
        known, references = self._recorder.serials.known, self._recorder.leaves
        members = ((number, reference()) for number in given if (reference := references.get(number)) is not None)
        self.sizes |= {number: tensor.numel() for number, tensor in members if tensor is not None}
        for root in self._modules.roots() if alive else ():
            parameters = [each for each in root.parameters() if each.requires_grad]
            numbers = tuple(known(each) or 0 for each in parameters)
            if numbers and len(self.whole) < _MOST and alive.keys() >= {*numbers} and self._is_fresh(root):
                having = (each for each in root.modules() if [*each.parameters(recurse=False)])
                own = [each for each in having if self._modules.is_own(type(each))]
                alone = len(own) == 1 and len([*own[0].parameters(recurse=False)]) == len([*root.parameters()])
                size, name = sum(each.numel() for each in parameters), type(own[0]).__name__ if own else ""
                self.whole[numbers[0]] = Whole(type(root).__name__, numbers, size, name, alone)

    def _is_bare(self, tensor: Any) -> bool:
        if tensor._backward_hooks or not tensor.requires_grad:
            return False
        if type(tensor) is not torch.nn.Parameter:
            return type(tensor) is torch.Tensor
        return self._modules.holding(tensor) is None and not self._modules.lists(tensor)

    def _is_fresh(self, root: Any) -> bool:
        """Whether a module is in training mode, got no state from elsewhere, and nothing looks at its gradients."""
        if any(not each.training or self._is_loaded(each) for each in root.modules()):
            return False
        return not any(each._backward_hooks for each in root.parameters())
