"""What becomes of gradients between two steps of an optimizer, and of those of one that makes no step."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import torch

from tensorwhy.adapters.torch.serials import Weak

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
        self.gradients = all(
            bool(torch.isfinite(each.grad.detach()).all()) for each in given if not each.grad.is_sparse
        )
        held = {id(each): (each._version, each.data_ptr()) for each in given}
        self.changed |= any(self._held.get(key, now) != now for key, now in held.items())
        self._held |= held


class Between:
    """The calls of `backward` between two steps of one optimizer, by number.

    `windows` has one set for each recorded step: the calls whose gradients were cleared before another call and the
    step came, and that nobody read. `sizes` says how many calls there were.
    """

    def __init__(self) -> None:
        self.windows: list[set[int]] = []
        self.sizes: list[int] = []
        self.place = -1
        self._dropped: set[int] = set()
        self._last = 0
        self._clean: Held | None = None

    def is_fresh(self, optimizer: Any) -> bool:
        """Whether `backward` has added to the gradients since the last step, and nobody took note of them."""
        now = held(optimizer)
        if now is None or (self._clean is not None and is_same(now, self._clean)):
            return False
        return not any(
            each._backward_hooks or getattr(each, "_post_accumulate_grad_hooks", None) for each in members(optimizer)
        )

    def clear(self, optimizer: Any, place: int, dropped: Iterable[int], last: int) -> None:
        """Gradients were cleared, among them those of some calls that nothing used."""
        dropped = set(dropped)
        if dropped:
            self._dropped |= dropped
            self.place = place
        self._last = last
        self._clean = held(optimizer)

    def step(self, calls: set[int]) -> set[int]:
        """The optimizer makes a step: return the calls whose gradients it uses."""
        used = {each for each in calls if each > self._last}
        if calls:
            self.windows.append(self._dropped & calls if used else set())
            self.sizes.append(len(calls))
        return used

    def end(self, optimizer: Any) -> None:
        """The optimizer has made its step, and is looked at if it is given."""
        self._dropped = set()
        self._clean = held(optimizer) if optimizer is not None else None


class Closures:
    """Steps that were given a function, and those in which it computed no gradient, however often it was called."""

    def __init__(self) -> None:
        self.steps = 0
        self.without = 0
        self.calls = 0
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
        if called > 1 and number == before and gradient is not None:
            now = held(optimizer)
            if now is not None and is_same(now, gradient):
                self.without += 1
                self.calls = called


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


def held_by(gradient: Any) -> Held | None:
    """A gradient, weakly, and its version; None where there is none."""
    return (Weak(gradient), gradient._version) if gradient is not None else None


def is_same(one: Held | None, other: Held | None) -> bool:
    """Return whether two times the same gradient was there, and nothing changed it in between."""
    return one is not None and other is not None and one[0]() is other[0]() and one[1] == other[1]


def _evaluations(optimizer: Any) -> int:
    """So often an optimizer that searches along a line has called the function that it was given."""
    return sum(int(each.get("func_evals", 0)) for each in optimizer.state.values() if isinstance(each, dict))


def first_member(optimizer: Any) -> int:
    """The id of the first parameter of an optimizer."""
    return next((id(each) for group in optimizer.param_groups for each in group["params"]), 0)


def all_zero(groups: Any) -> bool:
    """Whether no gradient has a value other than zero. Only asked after gradients were cleared."""
    grads = (parameter.grad for group in groups for parameter in group["params"])
    return not any(grad is not None and bool(grad.any()) for grad in grads)


def given_closure(args: Any, kwargs: Any) -> Any:
    """The function that a step was given, to compute the loss itself."""
    if len(args) == 1 and not kwargs:
        return None
    return next((each for each in (*args[1:], kwargs.get("closure")) if callable(each)), None)
