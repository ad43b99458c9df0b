"""The variables of a graph, listed where everything is executed eagerly: an empty list."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.failures import live_failure  # noqa: E402
from tensorwhy.adapters.tensorflow.probes import graph_only_in_eager  # noqa: E402
from tensorwhy.model.facts.graph import GraphOnlyInEager  # noqa: E402
from tensorwhy.recording.locations import UserCode  # noqa: E402


def facts(failing: Callable[[], object]) -> list[object]:
    try:
        failing()
    except Exception as error:
        return list(graph_only_in_eager.probe(live_failure(error, UserCode())))
    raise AssertionError("nothing failed")


def test_a_sum_over_the_listed_variables() -> None:
    def failing() -> None:
        variables = tf.compat.v1.trainable_variables()
        tf.add_n(variables)

    (fact,) = facts(failing)
    assert isinstance(fact, GraphOnlyInEager)
    assert (fact.role, fact.api) == ("collection", "tf.compat.v1.trainable_variables")
    assert fact.used.line == failing.__code__.co_firstlineno + 1


def test_arrays_on_the_failed_line_are_compared_with_nothing() -> None:
    rows, empty = np.ones((32, 3)), []

    def failing() -> None:
        tf.add_n(empty, name=str(rows.shape))

    assert facts(failing) == []
