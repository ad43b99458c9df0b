"""Finite differences tell a slope from something else, as exactly as the dtype allows, or say that they cannot."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tensorwhy.adapters.tensorflow.experiments.slopes import Slope, compared

POINT = np.array([0.7, -1.3, 2.0])


def said(function: Callable[[Any], Any], gradient: Any, at: Any = POINT, dtype: str = "float32") -> Slope:
    """`dtype` is that of the gradient and of the function, which is given float64."""
    arithmetic = np.dtype(dtype).type
    return compared(lambda value: float(function(value.astype(arithmetic))), at, gradient, dtype, dtype)


def exactness(slope: Slope) -> float:
    found = re.search(r"matches finite differences to (\S+)$", slope.words)
    assert slope.agrees and found, slope
    return float(found[1])


@pytest.mark.parametrize(("dtype", "digits"), [("float32", 1e-3), ("float64", 1e-6)])
def test_a_gradient_is_confirmed_to_the_digits_of_the_dtype(dtype: str, digits: float) -> None:
    assert exactness(said(lambda x: np.sum(np.exp(x)), np.exp(POINT), dtype=dtype)) <= digits


def test_a_function_in_float64_confirms_a_gradient_in_float32_to_its_own_rounding() -> None:
    gradient = np.exp(POINT).astype(np.float32)
    slope = compared(lambda x: float(np.sum(np.exp(x))), POINT.astype(np.float32), gradient, "float32", "float64")
    assert exactness(slope) <= 1e-6


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("factor", [1.02, 0.5, -1.0])
def test_another_gradient_is_told_from_the_slope(dtype: str, factor: float) -> None:
    assert said(lambda x: np.sum(np.exp(x)), factor * np.exp(POINT), dtype=dtype).agrees is False


def test_a_target_that_is_large_beside_its_slope_says_nothing_in_float32_and_enough_in_float64() -> None:
    def raised(x: Any) -> Any:
        return x.dtype.type(1e7) + np.sum(x)

    one = np.ones(3)
    assert said(raised, one).agrees is None
    assert said(raised, one, dtype="float64").agrees


@pytest.mark.parametrize(("dtype", "width"), [("float32", 0.1), ("float64", 1e-4)])
def test_steps_that_are_narrower_than_the_widest_distance_are_recognised(dtype: str, width: float) -> None:
    slope = said(lambda x: np.sum(np.round(x / width)) * width, np.ones(3), dtype=dtype)
    assert slope.agrees is None and "step function" in slope.words


def test_a_kink_at_the_point_says_nothing() -> None:
    slope = said(lambda x: np.sum(np.maximum(x, 0)), np.array([1.0, 0.0, 1.0]), at=np.zeros(3), dtype="float64")
    assert slope.agrees is None and "kinks" in slope.words


def test_a_kink_beside_the_point_is_stepped_over_with_smaller_steps() -> None:
    at = np.array([1e-4, 1.0, -1e-4])
    assert said(lambda x: np.sum(np.maximum(x, 0)), np.array([1.0, 1.0, 0.0]), at=at, dtype="float64").agrees


def test_what_is_constant_in_steps_is_called_so() -> None:
    slope = said(lambda x: np.sum(np.round(x)), np.ones(3), dtype="float64")
    assert slope.agrees is None and "step function" in slope.words


def test_a_zero_gradient_is_not_compared() -> None:
    assert said(lambda x: 0.0, np.zeros(3)) == Slope(None, "")
