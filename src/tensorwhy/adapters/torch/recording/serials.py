"""Numbers for tensors. PyTorch reuses addresses, so that a number belongs to an object only while that is alive."""

from __future__ import annotations

import weakref
from collections.abc import Iterable
from typing import Any


class Weak(weakref.ref[Any]):
    """A weak reference to a tensor: one that PyTorch alone still held is Python's again when it is asked for."""

    __slots__ = ()

    def __call__(self) -> Any | None:
        """Return the tensor; None where it is gone."""
        tensor = super().__call__()
        if tensor is not None:
            tensor._fix_weakref()
        return tensor


REFERRED = weakref.ref.__call__
"""For a comparison alone."""


class Serials:
    """Gives each tensor a number of its own. Keeps no tensor alive, and writes nothing into one."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Weak, int]] = {}
        self._requiring: set[int] = set()
        self.last = 0

    def known(self, tensor: Any) -> int | None:
        """Return the number of a tensor that has one."""
        entry = self._known.get(id(tensor))
        return entry[1] if entry is not None and REFERRED(entry[0]) is tensor else None

    def all_known(self, tensors: Iterable[Any]) -> list[int | None]:
        """Return the numbers of some tensors."""
        known = self._known
        found = list[int | None]()
        for each in tensors:
            entry = known.get(id(each))
            found.append(entry[1] if entry is not None and REFERRED(entry[0]) is each else None)
        return found

    def new(self, tensor: Any) -> int:
        """Give a tensor its next number: it was just made, or changed in place."""
        number = self.next()
        self._known[id(tensor)] = Weak(tensor), number
        if tensor.requires_grad:
            self._requiring.add(number)
        return number

    def next(self) -> int:
        """Return a number for values that no tensor alone holds."""
        self.last += 1
        return self.last

    def require(self, serial: int) -> None:
        """Note that a tensor requires a gradient from now on."""
        self._requiring.add(serial)

    def requires(self, serial: int) -> bool:
        """Return whether a tensor required a gradient when it got its number."""
        return serial in self._requiring

    def tensor(self, serial: int) -> Any | None:
        """Return the living tensor that has this number. Looks through all of them."""
        for reference, number in list(self._known.values()):
            if number == serial:
                return reference()
        return None
