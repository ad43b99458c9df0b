"""One variable that a program asks gradients for: what its value was at each look."""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np

from tensorwhy.adapters import variable_values
from tensorwhy.adapters.tensorflow.tensor_ids import resource
from tensorwhy.adapters.tensorflow.variables.arrays import is_zero, variable_value
from tensorwhy.adapters.tensorflow.variables.trails import Room, Trail

_FEW_BYTES = 4096


class Watched:
    """A variable, and what its value summed up to after so many calls of the code that trains it."""

    def __init__(self, variable: Any, room: Room) -> None:
        self.reference = weakref.ref(variable)
        self.trail = Trail(room)
        self.seen: dict[int, list[tuple[int, int]]] = {}
        self.zero = False
        self._handle: weakref.ref[Any] | None = None
        self._dtype = ""

    def look(self, *counts: tuple[int, int]) -> None:
        """Compare now. Of each pair the first says whose calls the second, a step, counts."""
        array = self._value()
        if array is not None:
            self.zero, now = is_zero(array), bits(array)
            for owner, step in counts:
                self.seen.setdefault(owner, []).append((step, now))
            self.trail.add(array, *(step for _, step in counts))

    def _value(self) -> np.ndarray[Any, Any] | None:
        """To ask a variable of Keras for its handle costs half as much as to read it: it is asked once."""
        handle = self._handle() if self._handle is not None else None
        if handle is not None:
            return variable_values.value(handle, self._dtype)
        variable = self.reference()
        array = variable_value(variable) if variable is not None else None
        if array is not None:
            self._handle, self._dtype = weakref.ref(resource(variable)), str(array.dtype)
        return array

    def still_since(self, owner: int) -> tuple[int, int] | None:
        """From which to which step it kept its last value; None when it was not seen twice."""
        seen = self.seen.get(owner, [])
        if len(seen) < 2:
            return None
        first = last = seen[-1]
        for each in reversed(seen):
            if each[1] != last[1]:
                break
            first = each
        return first[0], last[0]

    def changed_after(self, owner: int, step: int) -> bool:
        """Whether it had more than one value at and after a step."""
        return len({value for at, value in self.seen.get(owner, []) if at >= step}) > 1

    def span(self) -> int:
        """Over how many steps, of whoever counted most, it was looked at."""
        return max((seen[-1][0] - seen[0][0] for seen in self.seen.values()), default=0)

    def ever_changed(self) -> bool:
        """Whether two looks at it, whoever counted, saw different values."""
        return len({value for seen in self.seen.values() for _, value in seen}) > 1

    @classmethod
    def of_handle(cls, handle: Any, dtype: Any, room: Room) -> Watched:
        """A variable of which only the handle is known."""
        found = cls(handle, room)
        found._handle, found._dtype = weakref.ref(handle), dtype
        return found

    def changed_since_first_call(self) -> bool:
        """Return whether its value differs now from one that was seen after the first call, or did in between.

        The look before the first call does not count: a variable may get its initial value in that call.
        """
        array = self._value()
        values = {value for seen in self.seen.values() for step, value in seen if step}
        return len(values | ({bits(array)} if array is not None and values else set())) > 1


def bits(array: np.ndarray[Any, Any]) -> int:
    """A sum over the bits of an array, at the speed of memory."""
    if array.nbytes <= _FEW_BYTES:  # where a call costs more than the bytes
        return hash(array.tobytes())
    flat = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    whole = flat.size // 8 * 8
    total = int(np.add.reduce(flat[:whole].view(np.uint64))) if whole else 0
    return hash((total, flat[whole:].tobytes()))
