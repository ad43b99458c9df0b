"""The numbers of one array, as the signal walk takes them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tensorwhy.model.facts.signal import Numbers


def uneven(shape: tuple[int, ...]) -> Any:
    """Weights for the elements of a target, between 0.5 and 2.5, no two of them alike: they undo what cancels."""
    return np.asarray(1.5 + np.sin(1.7 * np.arange(math.prod(shape))), np.float32).reshape(shape)


def numbers(array: Any) -> Numbers | None:
    """Return what an array holds; None for what are no numbers."""
    array = np.asarray(array)
    digits = array.dtype.name
    if digits in ("bfloat16", "float16") or digits.startswith("float8"):
        array = array.astype(np.float32)
    if array.dtype.kind not in "fiubc":
        return None
    if array.dtype.kind == "c":
        array = np.abs(array)
    size, shape = int(array.size), tuple(map(int, array.shape))
    if not size:
        return Numbers(shape=shape, size=0, digits=digits)
    flat = array.reshape(-1)
    zeros = size - int(np.count_nonzero(flat))
    if array.dtype.kind != "f":
        return Numbers(
            shape=shape, size=size, zeros=zeros, low=float(flat.min()), high=float(flat.max()), digits=digits
        )
    finite = np.isfinite(flat)
    count = int(np.count_nonzero(finite))
    nans = int(np.count_nonzero(np.isnan(flat))) if count < size else 0
    known = flat[finite] if count < size else flat
    low, high = (float(known.min()), float(known.max())) if count else (0.0, 0.0)
    return Numbers(
        shape=shape,
        size=size,
        zeros=zeros,
        nans=nans,
        infinite=size - count - nans,
        low=low,
        high=high,
        digits=digits,
    )
