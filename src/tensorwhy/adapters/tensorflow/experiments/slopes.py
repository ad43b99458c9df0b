"""Is a gradient that came back the slope of the target? Finite differences along random directions say.

Central differences over ever smaller steps are extrapolated to a step of zero (Richardson's method in the order of
Ridders), and the estimate that is taken is the one with the smallest error of its own, whatever the gradient is. That
error has two parts: how much the estimates still change from step to step, and what rounding leaves of a difference,
which is known to `eps * |target| / step` only. The tolerance is what the gradient's own dtype allows, plus that error;
where the error is a tenth of the slope or more, nothing is said.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

_TOLERANCE = {"bfloat16": 1e-1, "float16": 5e-2, "float32": 1e-3, "float64": 1e-6}
"""How far a gradient that was computed in this dtype may be off, relative to its norm: rounding has half the digits."""
_STEPS = {
    "float16": (3e-1, 1e-1, 3e-2),
    "float32": (1e-1, 3e-2, 1e-2, 3e-3, 1e-3),
    "float64": (1e-3, 1e-4, 1e-5, 1e-6, 1e-7),
}
"""By the dtype in which the function is computed: step lengths, in units of the values' own size."""
_EPSILON = {"float16": 1e-3, "float32": 1.2e-7, "float64": 2.3e-16}
_WIDEST = 0.1
_ENOUGH = 0.01
"""An estimate whose error is this part of the tolerance needs no smaller step."""
_DIRECTIONS = 2
_STILL = 2
"""A function is constant in steps where it does not change at all over so many of the smallest distances, though a
number as large as the gradient would show beside rounding."""


class Slope(NamedTuple):
    """`agrees`: None when it cannot be told. `words` go behind "norm 1.2", within the brackets."""

    agrees: bool | None
    words: str


class _Along(NamedTuple):
    """The slope along one direction: what was estimated, its error, the part of that which is rounding, whether the
    function is flat there, and how far the differences ahead and back are apart at the smallest step."""

    estimate: float
    error: float
    rounding: float
    flat: bool
    bend: float


def compared(function: Callable[[Any], float], at: Any, gradient: Any, dtype: str, arithmetic: str) -> Slope:
    """Compare a gradient with the differences of a function around a point. `dtype`: the narrowest in which the
    gradient was computed; `arithmetic`: that in which the function is."""
    norm = float(np.linalg.norm(gradient))
    if not norm or dtype not in _TOLERANCE or arithmetic not in _STEPS:
        return Slope(None, "")
    generator = np.random.default_rng(0)
    point = at.astype(np.float64)
    size = max(float(np.sqrt(np.mean(np.square(point)))), 0.1)
    here, tolerance = function(point), _TOLERANCE[dtype]
    worst, known, flat, smooth, allowed = 0.0, 0.0, True, True, True
    rounded = 0.0
    for _ in range(_DIRECTIONS):
        direction = generator.standard_normal(at.shape)
        expected = float(np.sum(gradient * direction))
        scale = max(abs(expected), norm)
        found = _along(function, point, here, direction, size, arithmetic, expected, tolerance, scale)
        off, error = abs(found.estimate - expected) / scale, found.error / scale
        worst, known = max(worst, off), max(known, error)
        rounded = max(rounded, found.rounding / scale)
        allowed = allowed and off <= tolerance + 2 * error
        flat = flat and found.flat
        smooth = smooth and found.bend <= max(tolerance * scale, 4 * found.rounding)
    if flat:
        return Slope(None, "; finite differences are zero: the loss is a step function here")
    if rounded > _WIDEST:
        return Slope(None, "; finite differences are inconclusive: the loss is too large for this dtype")
    if known > _WIDEST or not (allowed or smooth):
        return Slope(None, "; finite differences are inconclusive: there are kinks nearby")
    if allowed:
        said = f"{max(worst, known, 1e-12):.0e}".replace("e-0", "e-")
        return Slope(True, f", matches finite differences to {said}")
    return Slope(False, f", but finite differences disagree: off by {worst:.0%} of the norm")


def _along(
    function: Callable[[Any], float],
    point: Any,
    here: float,
    direction: Any,
    size: float,
    arithmetic: str,
    expected: float,
    tolerance: float,
    scale: float,
) -> _Along:
    best = _Along(np.inf, np.inf, np.inf, True, np.inf)
    still, bend = 0, np.inf
    row: list[float] = []
    steps = _STEPS[arithmetic]
    for number, step in enumerate(steps):
        length = step * size
        ahead = (function(point + length * direction) - here) / length
        back = (here - function(point - length * direction)) / length
        bend = abs(ahead - back)
        rounding = 2 * _EPSILON[arithmetic] * abs(here) / length
        still = still + 1 if ahead == back == 0.0 and rounding <= _WIDEST * scale else 0
        above, row = row, [(ahead + back) / 2]
        for order, left in enumerate(above):
            ratio = (steps[number - order - 1] / step) ** 2
            row.append(row[-1] + (row[-1] - left) / (ratio - 1))
            error = max(abs(row[-1] - row[-2]), abs(row[-1] - left), rounding)
            if error <= best.error:
                best = _Along(row[-1], error, rounding, False, bend)
        if best.error <= _ENOUGH * tolerance * scale and abs(best.estimate - expected) <= tolerance * scale:
            break
    return best._replace(flat=still >= _STILL, bend=bend)
