"""What becomes of gradients between two steps of an optimizer, and of those of one that makes no step."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch

from tensorwhy.adapters.torch.recording.serials import Weak
from tensorwhy.adapters.torch.replays.signals import largest
from tensorwhy.adapters.turns import parts

Held = tuple[Weak, int]
"""A gradient, and the version that it had."""


class Idle:
    """An optimizer before its first step: so many calls of `backward`, and what they left."""

    def __init__(self) -> None:
        self.calls = 0
        self.numbers: set[int] = set()
        self.gradients = False
        """Its parameters have gradients, and all of them are finite: a scaler would use them."""
        self.changed = False
        """Somebody else changes its parameters."""
        self._held: dict[int, tuple[int, int]] = {}

    def look(self, optimizer: Any, known: Callable[[Any], int | None]) -> None:
        """Look at the gradients that a `backward` left, ever more rarely."""
        self.calls += 1
        if self.calls & (self.calls - 1):
            return
        given = [each for each in members(optimizer) if each.grad is not None]
        if not given:
            return
        self.numbers |= {number for each in given if (number := known(each)) is not None}
        given = given[:: parts(len(given))]
        self.gradients = all(map(math.isfinite, largest({id(each): each.grad for each in given})))
        held = {id(each): (each._version, memory(each)) for each in given}
        self.changed |= any(self._held.get(key, now) != now for key, now in held.items())
        self._held |= held


class Closures:
    """Steps that were given a function, and called it several times: it computed no gradient, or only added to them."""

    def __init__(self) -> None:
        self.steps = 0
        self.without = 0
        self.calls = 0
        self.several = self.summed = 0
        """So many steps called it several times, and left the gradients of more than one of these calls."""
        self._last = range(0), 0
        """The calls of `backward` in the last step, and so many calls of the function."""
        self.code: tuple[str, int] = "", 0
        self._before: tuple[int, int, Held | None] = 0, 0, None

    def begin(self, optimizer: Any, number: int, closure: Any) -> None:
        """A step begins after so many calls of `backward`."""
        self._before = number, _evaluations(optimizer), held(optimizer)
        code = getattr(getattr(closure, "__wrapped__", closure), "__code__", None)
        self.code = (code.co_filename, code.co_firstlineno) if code is not None else ("", 0)

    def end(self, optimizer: Any, number: int) -> None:
        """Compare what there is after the step."""
        before, evaluations, gradient = self._before
        called = _evaluations(optimizer) - evaluations
        self.steps += 1
        self._last = range(before + 1, number + 1), called
        if called > 1 and number == before and gradient is not None:
            now = held(optimizer)
            if now is not None and is_same(now, gradient):
                self.without += 1
                self.calls = called

    def left(self, numbers: set[int]) -> None:
        """The last step left the gradients of these calls of `backward`."""
        own, called = self._last
        kept = len(numbers.intersection(own))
        self._last = range(0), 0
        if called > 1 and kept:
            self.several += 1
            if kept * called > len(own):
                self.summed, self.calls = self.summed + 1, called


def members(optimizer: Any) -> list[Any]:
    """The parameters that an optimizer has."""
    return [each for group in optimizer.param_groups for each in group["params"]]


def first_gradient(optimizer: Any) -> Any:
    """The gradient of the first parameter that has one."""
    with torch._C.DisableTorchFunction():
        groups = optimizer.param_groups
        return next((each.grad for group in groups for each in group["params"] if each.grad is not None), None)


def held(optimizer: Any) -> Held | None:
    """That gradient, weakly, and its version."""
    return held_by(first_gradient(optimizer))


def values(tensor: Any) -> Any:
    """The tensor itself, or the dense one with the numbers of a sparse one, which has no memory of its own."""
    if tensor.layout is torch.strided:
        return tensor
    return tensor._values() if tensor.is_sparse else tensor.values()


def memory(tensor: Any) -> int:
    """Where the numbers of a tensor are."""
    return int(values(tensor).data_ptr())


def held_by(gradient: Any) -> Held | None:
    """A gradient, weakly, and its version; None where there is none."""
    return (Weak(gradient), gradient._version) if gradient is not None else None


def is_same(one: Held | None, other: Held | None) -> bool:
    """Return whether two times the same gradient was there, and nothing changed it in between."""
    return one is not None and other is not None and one[0]() is other[0]() and one[1] == other[1]


def _evaluations(optimizer: Any) -> int:
    """So often an optimizer that searches along a line has called the function that it was given."""
    return sum(int(each.get("func_evals", 0)) for each in optimizer.state.values() if isinstance(each, dict))


def given_closure(args: Any, kwargs: Any) -> Any:
    """The function that a step was given, to compute the loss itself."""
    if len(args) == 1 and not kwargs:
        return None
    return next((each for each in (*args[1:], kwargs.get("closure")) if callable(each)), None)
