"""Which loops of a traced function ran no iteration, by what the function was given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

tf = pytest.importorskip("tensorflow")


def _skipped(function: Callable[..., Any], *given: Any) -> tuple[int, int]:
    """How many loops there are in a function, and how many of them do not run for these arrays."""
    from tensorwhy.adapters.tensorflow.questions.skipped_loops import skipped

    arrays = [np.asarray(value) for value in given]
    graph = tf.function(function).get_concrete_function(*(tf.constant(each) for each in arrays)).graph
    loops = {op.outputs[0]._id for op in graph.get_operations() if op.type in ("While", "StatelessWhile")}
    found = skipped(graph, {tensor.name: array for tensor, array in zip(graph.inputs, arrays)})
    assert found <= loops
    return len(loops), len(found)


def _repeated(x: Any, bound: Any) -> Any:
    return tf.while_loop(lambda i, y: i < bound, lambda i, y: (i + 1, y * x), (tf.constant(0), x))[1]


@pytest.mark.parametrize(("bound", "count"), [(0, 1), (2, 0)])
def test_a_loop_whose_condition_does_not_hold_at_first_is_found(bound: int, count: int) -> None:
    assert _skipped(_repeated, np.float32(2.0), np.int32(bound)) == (1, count)


@pytest.mark.parametrize(("tolerance", "count"), [(1e3, 1), (1e-3, 0)])
def test_the_condition_may_depend_on_what_is_computed_before(tolerance: float, count: int) -> None:
    weights = tf.Variable([[0.5], [0.25]])

    def relaxed(x: Any) -> Any:
        hidden = tf.matmul(x, weights)
        return tf.while_loop(
            lambda y: tf.logical_and(tf.reduce_max(y) > tolerance, tf.size(y) > 0),
            lambda y: (y * tf.reduce_sum(weights) * 0.1,),
            (hidden,),
        )[0]

    assert _skipped(relaxed, np.ones([3, 2], np.float32)) == (1, count)


@pytest.mark.parametrize(("steps", "count"), [(0, 1), (2, 0)])
def test_the_condition_may_read_a_variable(steps: int, count: int) -> None:
    bound = tf.Variable(steps)

    def repeated(x: Any) -> Any:
        return tf.while_loop(lambda i, y: i < bound.read_value(), lambda i, y: (i + 1, y * x), (tf.constant(0), x))[1]

    assert _skipped(repeated, np.float32(2.0)) == (1, count)


def test_of_a_loop_whose_condition_reads_a_variable_that_the_function_changes_nothing_is_said() -> None:
    bound = tf.Variable(0)

    def repeated(x: Any) -> Any:
        bound.assign_add(1)
        return tf.while_loop(lambda i, y: i < bound.read_value(), lambda i, y: (i + 1, y * x), (tf.constant(0), x))[1]

    assert _skipped(repeated, np.float32(2.0)) == (1, 0)


@pytest.mark.parametrize(("bounds", "count"), [((0, 0), 1), ((0, 2), 0), ((2, 0), 0)])
def test_a_loop_of_a_called_function_is_found_if_no_call_runs_it(bounds: tuple[int, int], count: int) -> None:
    from tensorwhy.adapters.tensorflow.questions.skipped_loops import skipped

    inner = tf.function(_repeated)

    def both(x: Any, first: Any, second: Any) -> Any:
        return inner(x, first) + inner(x, second)

    given = [np.float32(2.0), np.int32(bounds[0]), np.int32(bounds[1])]
    graph = tf.function(both).get_concrete_function(*map(tf.constant, given)).graph
    assert len(skipped(graph, {each.name: array for each, array in zip(graph.inputs, given)})) == count


@pytest.mark.parametrize(("bound", "count"), [(0, 1), (1, 0)])
def test_a_loop_within_another_one_is_found_where_its_bound_stays_the_same(bound: int, count: int) -> None:
    from tensorwhy.adapters.tensorflow.questions.skipped_loops import skipped

    def nested(x: Any, rounds: Any) -> Any:
        return tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y + _repeated(x, rounds)), (tf.constant(0), x))[1]

    given = [np.float32(2.0), np.int32(bound)]
    graph = tf.function(nested).get_concrete_function(*map(tf.constant, given)).graph
    assert len(skipped(graph, {each.name: array for each, array in zip(graph.inputs, given)})) == count


def test_of_a_loop_whose_bound_is_not_known_nothing_is_said() -> None:
    from tensorwhy.adapters.tensorflow.questions.skipped_loops import skipped

    graph = tf.function(_repeated).get_concrete_function(tf.constant(2.0), tf.constant(0)).graph
    assert skipped(graph, {}) == set()
