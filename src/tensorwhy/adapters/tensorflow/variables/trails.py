"""How the value of a variable went, in numbers: a sample of its first and last value, and the last that was finite.

Values are copied when `Updates` compares them anyway, at the first steps and then ever more rarely. Once a value is NaN
the step cannot be executed again with it: the last finite one stands in for it.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

import numpy as np

_SAMPLE = 4096
_FEW = 1024
_SIZE = 64 << 20
"""Bytes of whole values that are kept in one run."""


class Room:
    """The bytes that are left for whole values."""

    def __init__(self) -> None:
        self.left = _SIZE

    def takes(self, size: int) -> bool:
        """Reserve room for a value; returns False where there is none."""
        if size > self.left:
            return False
        self.left -= size
        return True


class Trail:
    """One variable. Steps are those of whoever looked.

    - `first`, `last`: the same elements of the first and of the last finite value.
    - `steps`: of these two looks.
    - `finite`: the last finite value as a whole, where there is room for it.
    - `lost`: the step of the first look at which it was not finite, -1 while it is; `lost_at` is the time of that.
    """

    def __init__(self, room: Room) -> None:
        self.first: np.ndarray[Any, Any] | None = None
        self.last: np.ndarray[Any, Any] | None = None
        self.steps = (0, 0)
        self.finite: np.ndarray[Any, Any] | None = None
        self.lost = -1
        self.lost_at = 0.0
        self._room = room
        self._has_room: bool | None = None

    def add(self, array: np.ndarray[Any, Any], step: int, *more: int) -> None:
        """Take what the value is now, at a step; whoever looks may count several."""
        if not is_finite(array):
            if self.lost < 0:
                self.lost, self.lost_at = step, time.monotonic()
            return
        step = more[-1] if more else step
        self.lost = -1
        whole = np.array(array) if array.size < _SAMPLE else None
        flat = (array if whole is None else whole).reshape(-1)
        sample = flat if whole is not None else np.array(flat[:: max(1, flat.size // _SAMPLE)])
        if self.first is None:
            self.first, self.steps = sample, (step, step)
        self.last, self.steps = sample, (self.steps[0], step)
        if self._has_room is None:
            self._has_room = self._room.takes(array.nbytes)
        if self._has_room:
            self.finite = np.array(array) if whole is None else whole

    @property
    def moved(self) -> float | None:
        """How far the value went, relative to its size at first; None where that is not known, or was zero."""
        if self.first is None or self.last is None or self.first.shape != self.last.shape:
            return None
        size = _norm(self.first)
        return _norm(self.last.astype(np.float64) - self.first.astype(np.float64)) / size if size else None

    @property
    def grown(self) -> float | None:
        """How many times larger the last finite value is than the first; None where that is not known, or was zero."""
        if self.first is None or self.last is None:
            return None
        size = _norm(self.first)
        return _norm(self.last) / size if size else None


def span(lost: Iterable[Trail]) -> tuple[int, int]:
    """The steps between which the first of these variables was lost: when it was last finite, and no longer.

    Where another loop, which counts its own steps, has looked at it last, nothing is known of the first of them.
    """
    first = min(lost, key=lambda trail: trail.lost)
    return first.steps[1] if first.steps[1] <= first.lost else 0, first.lost


def is_finite(array: np.ndarray[Any, Any]) -> bool:
    """Return whether all elements are finite numbers: a sum shows it, unless the sum itself is too large."""
    kind = array.dtype.kind
    if kind not in "fc" and (kind in "iub" or array.dtype.name != "bfloat16"):
        return True
    if array.size <= _FEW:  # where a call costs more than the elements
        return bool(np.isfinite(array).all())
    with np.errstate(all="ignore"):
        if np.isfinite(array.sum(dtype=np.float32 if array.dtype.itemsize == 2 else None)):
            return True
        return bool(np.isfinite(array).all())


def _norm(array: np.ndarray[Any, Any]) -> float:
    return float(np.linalg.norm(array.astype(np.float64)))
