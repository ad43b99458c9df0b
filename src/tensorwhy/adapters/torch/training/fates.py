"""What becomes of each gradient that `backward` adds to a leaf: it is applied, once or again, or cleared before that.

A leaf is looked at where its `.grad` may have changed: around `backward`, at steps, where gradients are cleared.
All leaves are followed while everything is recorded, and one of each optimizer after that.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import torch

from tensorwhy.adapters.torch.recording.recorder import Recorder
from tensorwhy.adapters.torch.recording.serials import REFERRED, Weak

_FEW = 4096
"""A gradient of so many numbers is small."""
_MOST = 16
"""So many optimizers are followed at rest."""
_MANY = 64
"""So many calls of `backward` are told apart in one gradient."""
_CLOSELY = 16
"""So many gradients of a leaf are looked at closely; then ever fewer."""
_LEAVES = 20_000
"""When there are so many leaves, those that are gone are forgotten."""
_HAND = -1
"""The program itself, in the place of an optimizer."""


class Lost(NamedTuple):
    """A gradient that was cleared unused: where, and by which optimizer, if one did."""

    place: int
    by: int


class Applied(NamedTuple):
    """What one step applies, by the numbers of the calls of `backward`: for the first time, again, or not any more.

    `parts` are those of `now` that other parameters of the same optimizer have lost, as another optimizer cleared them.
    """

    now: set[int]
    again: set[int]
    lost: dict[int, Lost]
    parts: dict[int, Lost]


class Leaf:
    """One leaf. `waiting` says what its `.grad` holds: the calls of `backward`, and who has applied them by now."""

    def __init__(self, tensor: Any) -> None:
        self.tensor = Weak(tensor)
        self.grad: Weak | None = None
        self.version = 0
        self.closely = True
        """Small gradients are also looked at for changes that leave no trace, such as `grad.data.zero_()`."""
        self.hidden = self.blank = False
        """There was such a change; zeros were added, or nobody has looked."""
        self.waiting: dict[int, set[int]] = {}
        self.lost: dict[int, Lost] = {}
        self.arrived = 0
        """So many gradients were seen to arrive."""
        self.fetched = False
        """The program has read the gradient."""
        self.read: set[int] = set()
        """The calls of `backward` that it had something of then."""
        self.steps = self.summed = self.cleared = 0
        """Updates by the program itself with this gradient: all, with what the one before had applied, with nothing."""
        self.place = self.where = -1
        """The last of these updates, and where the gradient was cleared before it."""

    def is_same(self, grad: Any) -> bool:
        """Whether the gradient is the one that was remembered, as it was."""
        if grad is None or self.grad is None:
            return grad is None and self.grad is None
        return bool(self.version == grad._version and REFERRED(self.grad) is grad)

    def settle(self, grad: Any, place: int = -1, by: int = _HAND, clearing: bool = False) -> None:
        """Something may have changed the gradient, other than `backward`: this one is there by now."""
        if self.is_same(grad):
            if not (self.closely and self.waiting and not self.blank and _is_zero(grad, _FEW)):
                return
            self.hidden = True
        if grad is None or clearing or _is_zero(grad):
            kept = grad is None and self.grad is not None and REFERRED(self.grad) is not None  # somebody else has it
            for number, users in self.waiting.items():
                if not users and not kept:
                    self.lost[number] = Lost(place, by)
            self.waiting, self.fetched = {}, False
            while len(self.lost) > _MOST:
                del self.lost[next(iter(self.lost))]
        elif all(self.waiting.values()):
            self.waiting = {}  # what is left of an earlier step is kept on purpose
        self.grad, self.version = (Weak(grad), grad._version) if grad is not None else (None, 0)
        self.blank = not self.closely or _is_zero(grad, _FEW)

    def arrive(self, number: int, grad: Any) -> None:
        """A `backward` has added to the gradient."""
        if len(self.waiting) >= _MANY:
            del self.waiting[next((n for n, users in self.waiting.items() if users), next(iter(self.waiting)))]
        self.waiting[number] = set()
        self.arrived += 1
        self.grad, self.version = Weak(grad), grad._version
        self.blank = not self.closely or _is_zero(grad, _FEW)

    def stored(self, place: int) -> None:
        """The program stores a value in the leaf: with its gradient, if it has read that."""
        if not self.fetched:
            return
        self.settle(_gradient(self))
        last = max([number for number, users in self.waiting.items() if _HAND in users], default=0)
        found = _applied((self,), _HAND, last)
        self.fetched = False
        self.steps, self.place = self.steps + 1, place
        self.summed += bool(found.now and found.again)
        if found.lost and not found.now and not found.again:
            self.cleared, self.where = self.cleared + 1, next(reversed(found.lost.values())).place
        self.lost.clear()


class Fates:
    """The ledger of one recording, by the numbers of leaves."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self.leaves: dict[int, Leaf] = {}
        self._rest: list[Leaf] = []
        self._met = 0
        """So many leaves of the recorder were met."""
        self._chosen: dict[int, Leaf] = {}
        """The one of each optimizer that is followed at rest: to choose it takes long where there are many."""
        recorder.on_grad = self._touched

    def begin(self, states: Iterable[Any]) -> None:
        """A `backward` begins."""
        armed, known = self._recorder.armed, self._recorder.leaves
        with torch._C.DisableTorchFunction():
            if not armed:
                self._rest = [leaf for state in states if (leaf := self._witness(state)) is not None][:_MOST]
            elif len(known) > self._met:
                if len(self.leaves) > _LEAVES:
                    self.leaves = {number: leaf for number, leaf in self.leaves.items() if leaf.tensor() is not None}
                for number, reference in itertools.islice(known.items(), self._met, None):
                    if (leaf := reference()) is not None:
                        self.leaves[number] = Leaf(leaf)
                self._met = len(known)
            for each, grad in _gradients(self._followed()):
                often = each.arrived
                each.closely = each.hidden or (armed and (often < _CLOSELY or not often & (often - 1)))
                if grad is not None or each.grad is not None:
                    each.settle(grad)

    def end(self, number: int) -> None:
        """A `backward` has returned."""
        with torch._C.DisableTorchFunction():
            for each, grad in _gradients(self._followed()):
                if grad is not None and (each.grad is None or not each.is_same(grad)):
                    each.arrive(number, grad)

    def forget(self) -> None:
        """Gradients are not followed for a while: what there is now says nothing of what comes after that."""
        for leaf in self.leaves.values():
            leaf.waiting, leaf.fetched = {}, False
            leaf.lost.clear()

    def cleared(self, place: int, by: int) -> None:
        """Gradients were cleared by an optimizer, or by a module."""
        with torch._C.DisableTorchFunction():
            for each, grad in _gradients(self._followed()):
                if grad is not None or each.grad is not None:
                    each.settle(grad, place, by, clearing=True)

    def step(self, state: Any) -> Applied:
        """An optimizer makes a step."""
        members = self._members(state)
        with torch._C.DisableTorchFunction():
            for leaf, grad in _gradients(members):
                if leaf.closely or grad is None or leaf.grad is None or not leaf.is_same(grad):
                    leaf.settle(grad)
        found = _applied(members, state.key, state.seen_backward)
        for number, each in found.lost.items():
            if number in found.now and each.by not in (_HAND, state.key):
                found.parts[number] = each
        return found

    def has_any(self, state: Any) -> bool:
        """Whether a member of an optimizer has a gradient other than zero, which the program may have made itself."""
        with torch._C.DisableTorchFunction():
            return any(grad is not None and not _is_zero(grad) for _, grad in _gradients(self._members(state)))

    def _followed(self) -> Iterable[Leaf]:
        return self.leaves.values() if self._recorder.armed else self._rest

    def _members(self, state: Any) -> list[Leaf]:
        """The members of an optimizer that are followed."""
        if self._recorder.armed:
            return [leaf for number in {*state.members.values()} if (leaf := self.leaves.get(number)) is not None]
        witness = self._witness(state)
        return [witness] if witness is not None else []

    def _witness(self, state: Any) -> Leaf | None:
        """The one leaf of an optimizer that is followed at rest: if there is one, with a gradient."""
        if state.optimizer() is None:
            return None
        leaf = self._chosen.get(state.key)
        tensor = leaf.tensor() if leaf is not None else None
        if tensor is None or id(tensor) not in state.members:
            known = [self.leaves[number] for number in state.members.values() if number in self.leaves]
            leaf = max(known, key=lambda each: each.arrived > 0, default=None)
            if leaf is not None:
                self._chosen[state.key] = leaf
        return leaf

    def _touched(self, number: int, how: str, place: int) -> None:
        """The program reads or changes a gradient, or stores a value in the leaf."""
        leaf = self.leaves.get(number)
        if leaf is not None:
            with torch._C.DisableTorchFunction():
                if how == "read":
                    leaf.fetched = True
                    leaf.read.update(leaf.waiting)
                elif how == "store":
                    leaf.stored(place)
                else:
                    leaf.settle(_gradient(leaf), place)


def _applied(leaves: Iterable[Leaf], user: int, since: int) -> Applied:
    """An update uses the gradients of some leaves: what they are, and what was lost since a call of `backward`."""
    found = Applied(set(), set(), {}, {})
    for leaf in leaves:
        for number, users in leaf.waiting.items():
            (found.again if user in users else found.now).add(number)
            users.add(user)
        for number, lost in leaf.lost.items():
            if number > since:
                found.lost[number] = lost
    return found


def _gradient(leaf: Leaf) -> Any:
    """The gradient of a leaf by now."""
    return next(_gradients((leaf,)))[1]


def _gradients(leaves: Iterable[Leaf]) -> Iterator[tuple[Leaf, Any]]:
    """Leaves, each with its gradient by now. This is called often: what `Weak` does is written out."""
    for leaf in leaves:
        tensor = REFERRED(leaf.tensor)
        if tensor is None:
            yield leaf, None
        else:
            tensor._fix_weakref()
            yield leaf, tensor.grad


def _is_zero(grad: Any, most: int = 0) -> bool:
    """Whether a gradient is all zero. Not asked where that takes long; with `most`, only of a small one."""
    if grad is None or grad.is_sparse or grad.device.type != "cpu" or (most and grad.numel() > most):
        return False
    return not bool(grad.any())
