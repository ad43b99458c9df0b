"""Is a gradient that came back the slope of the target? Finite differences along random directions say.

What they can say is limited by the dtype: a difference over a step `h` is known to `eps * |target| / h` only. So the
tolerance grows with the condition of the question, and where it grows beyond a tenth of the slope nothing is said.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

_TOLERANCE = {"float16": 1e-1, "float32": 2e-2, "float64": 1e-5}
"""Relative to the gradient's norm, where rounding allows it: half the digits, less what curvature costs."""
_STEPS = {"float16": (1e-1, 3e-2), "float32": (3e-2, 1e-2, 1e-3), "float64": (1e-4, 1e-6)}
"""Step lengths in units of the values' own size."""
_EPSILON = {"float16": 1e-3, "float32": 1.2e-7, "float64": 2.3e-16}
_WIDEST = 0.1
_DIRECTIONS = 2


class Slope(NamedTuple):
    """`agrees`: None when it cannot be told. `words` go behind "the gradient has norm 1.2"."""

    agrees: bool | None
    words: str


def compared(function: Callable[[Any], float], at: Any, gradient: Any) -> Slope:
    """Compare a gradient with the differences of a function around a point."""
    dtype, norm = at.dtype.name, float(np.linalg.norm(gradient))
    if not norm or dtype not in _STEPS:
        return Slope(None, "")
    generator = np.random.default_rng(0)
    size = max(float(np.sqrt(np.mean(np.square(at, dtype=np.float64)))), 0.1)
    here = function(at)
    worst, allowed, flat, smooth = 0.0, _TOLERANCE[dtype], True, True
    for _ in range(_DIRECTIONS):
        direction = generator.standard_normal(at.shape)
        expected = float(np.sum(gradient * direction))
        scale = max(abs(expected), norm)
        best, bend, known = np.inf, np.inf, np.inf
        for step in _STEPS[dtype]:
            length = step * size
            ahead = (function(at + length * direction) - here) / length
            back = (here - function(at - length * direction)) / length
            flat = flat and ahead == back == 0.0
            off = abs((ahead + back) / 2 - expected) / scale
            if off < best:
                best, known = off, 4 * _EPSILON[dtype] * abs(here) / (length * scale)
            bend = min(bend, abs(ahead - back) / scale)
        worst, allowed = max(worst, best), max(allowed, known)
        smooth = smooth and bend <= max(_TOLERANCE[dtype], known)
    if flat:
        return Slope(None, "; finite differences are zero: it is constant in steps there, so this is not its slope")
    if allowed > _WIDEST and dtype != "float16":
        return Slope(None, " (finite differences say nothing: the target is too large beside its slope for this dtype)")
    if worst <= allowed:
        return Slope(True, f" and agrees with finite differences to {max(worst, 1e-7):.0e}".replace("e-0", "e-"))
    if not smooth:
        return Slope(None, " (finite differences say nothing: there are kinks nearby)")
    return Slope(False, f", but finite differences give another slope (off by {worst:.0%} of the norm)")
