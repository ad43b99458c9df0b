"""The steps between which a variable is lost."""

from __future__ import annotations

import numpy as np

from tensorwhy.adapters.tensorflow.variables.trails import Room, Trail, span


def test_a_loop_that_counts_anew_is_not_told_by_the_steps_of_another() -> None:
    trail = Trail(Room())
    trail.add(np.ones(3, "float32"), 10)
    trail.add(np.full(3, np.nan, "float32"), 1)
    assert span([trail]) == (0, 1)


def test_the_last_finite_look_begins_the_span() -> None:
    trail = Trail(Room())
    trail.add(np.ones(3, "float32"), 4)
    trail.add(np.full(3, np.nan, "float32"), 8)
    assert span([trail]) == (4, 8)
