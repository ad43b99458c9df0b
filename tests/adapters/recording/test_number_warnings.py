"""What NumPy warns of on lines of the program, and nothing else, is noted."""

from __future__ import annotations

import time
import warnings

import numpy as np
import pytest

from tensorwhy.adapters import number_warnings
from tensorwhy.recording.locations import UserCode


@pytest.fixture
def watched():
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        undo = number_warnings.watch(UserCode())
        yield
        undo()


def test_a_division_by_zero_is_noted_with_its_line(watched: None) -> None:
    begun = time.monotonic()
    np.log(np.zeros(3))
    found = number_warnings.before(time.monotonic() + 1)
    assert found is not None
    assert (found.text, found.location.file) == ("divide by zero encountered in log", __file__)
    assert number_warnings.before(begun) is None


def test_other_warnings_are_not(watched: None) -> None:
    warnings.warn("divide by zero is bad", RuntimeWarning, stacklevel=1)
    warnings.warn("overflow encountered in exp", UserWarning, stacklevel=1)
    assert number_warnings.before(time.monotonic() + 1) is None
