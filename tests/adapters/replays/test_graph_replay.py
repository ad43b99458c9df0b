"""Questions that were asked while tracing are tried on a copy of the graph."""

from __future__ import annotations

import pytest

from support.evidence import evidence
from support.runner import Result, Runner

BREAKS = """
import tensorflow as tf

v = tf.Variable([1.0, 2.0], name="v")
w = tf.Variable([1.0, 3.0], name="w")


@tf.function
def stopped(x):
    with tf.GradientTape() as tape:
        hidden = tf.stop_gradient(v * x) * tf.random.normal([2])
        loss = tf.reduce_sum(hidden * w)
    return loss, [g is None for g in tape.gradient(loss, [v, w])]  # stop


@tf.function
def outside_and_unwatched(x):
    hidden = tf.exp(x)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(hidden[:1] * v[:1])
    return loss, tape.gradient(loss, x) is None  # both


@tf.function
def cast(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.cast(tf.cast(v * 10.0 * x, tf.int32), tf.float32))
    return loss, tape.gradient(loss, v) is None  # cast


@tf.function
def looped(x):
    with tf.GradientTape() as tape:
        total = tf.constant(0.0)
        for _ in tf.range(3):
            total += tf.reduce_sum(v * x)
        loss = tf.stop_gradient(total)
    return loss, tape.gradient(loss, v) is None  # loop


@tf.custom_gradient
def doubled(t):
    return t * 2.0, lambda upstream: None


@tf.function
def own(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(doubled(v * x) ** 2)
    return loss, tape.gradient(loss, v) is None  # custom


@tf.function
def divided(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(v * x // 0.3)
    return loss, tape.gradient(loss, v) is None  # divide


@tf.function
def held(x):
    return tf.stop_gradient(x)


@tf.function
def scaled(x):
    return held(x * w) + 1.0


@tf.function
def calling_deep(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(scaled(v * x) ** 2)
    return loss, [g is None for g in tape.gradient(loss, [v, w])]  # deep


@tf.function
def in_steps(x):
    return x // 0.3


@tf.function
def calling_past(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(in_steps(v * x))
    return loss, tape.gradient(loss, v) is None  # past


for function in (calling_deep, calling_past, stopped, outside_and_unwatched, cast, looped, own, divided):
    function(tf.constant([1.0, 2.0]))
"""


READS = """
import tensorflow as tf

v = tf.Variable([1.0, 2.0], name="v")
table = tf.Variable(tf.reshape(tf.range(12.0), [4, 3]), name="table")


@tf.function
def rows(ids):
    return tf.nn.embedding_lookup(table, ids)


@tf.function
def gathered(x):
    with tf.GradientTape() as tape:
        found = table.sparse_read([2, 0]) + rows(tf.constant([[1], [1]]))[:, 0] + table.gather_nd([[3], [1]])
        loss = tf.reduce_sum(tf.stop_gradient(found) ** 2) * x[0]
    return loss, tape.gradient(loss, table) is None  # gather


@tf.function
def of_a_dataset(elements):
    x = next(elements)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.stop_gradient(v * x) ** 2)
    return loss, tape.gradient(loss, v) is None  # dataset


@tf.function
def held_variable(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(x * tf.stop_gradient(v))
    return loss, tape.gradient(loss, v) is None  # variable


gathered(tf.constant([1.0, 2.0]))
held_variable(tf.constant([1.0, 2.0]))
of_a_dataset(iter(tf.data.Dataset.from_tensors([1.0, 2.0])))
"""


@pytest.fixture(scope="module")
def replayed(runner: Runner, tmp_path_factory: pytest.TempPathFactory) -> Result:
    program = tmp_path_factory.mktemp("traced") / "traced.py"
    program.write_text(BREAKS)
    return runner.run(program)


def test_a_stopped_gradient_comes_back_in_a_copy_and_is_the_slope(replayed: Result) -> None:
    ((status, words),) = evidence(replayed, BREAKS, "stop")
    assert status == "confirmed"
    assert "a copy of the traced graph" in words and "checked numerically" in words
    assert words.endswith("the loss is unchanged"), "random numbers are constants of the experiment"


def test_of_two_breaks_in_a_graph_neither_suffices_alone(replayed: Result) -> None:
    found = evidence(replayed, BREAKS, "both")
    assert [status for status, _ in found] == ["confirmed", "confirmed"]
    assert all("with only one removed, it is still None" in words for _, words in found)


def test_a_custom_gradient_is_left_out_of_a_copy(replayed: Result) -> None:
    ((status, words),) = evidence(replayed, BREAKS, "custom")
    assert status == "confirmed" and "TensorFlow's own gradient" in words
    assert "checked numerically" in words


def test_past_an_operation_of_a_graph_that_has_no_gradient_that_of_the_identity_comes_back(replayed: Result) -> None:
    ((status, words),) = evidence(replayed, BREAKS, "divide")
    assert status == "confirmed" and words.startswith("with a gradient of 1 for ")


def test_a_cast_and_the_one_back_are_left_out_together(replayed: Result) -> None:
    ((status, words),) = evidence(replayed, BREAKS, "cast")
    assert status == "confirmed" and "nothing is rounded" in words


def test_a_variable_that_is_read_in_a_loop_stays_unverified_with_the_reason(replayed: Result) -> None:
    ((status, words),) = evidence(replayed, BREAKS, "loop")
    assert status == "unverified" and "inside a loop" in words


def test_what_called_functions_lose_comes_back_in_a_copy_with_their_bodies(replayed: Result) -> None:
    ((status, words),) = evidence(replayed, BREAKS, "deep")
    assert status == "confirmed" and "checked numerically" in words


def test_what_an_operation_inside_of_a_called_function_loses_stays_unverified(replayed: Result) -> None:
    ((status, words),) = evidence(replayed, BREAKS, "past")
    assert status == "unverified" and "inside one of its functions" in words


def test_what_was_made_up_is_said(replayed: Result) -> None:
    assert "with made-up arguments" in evidence(replayed, BREAKS, "stop")[0][1]


def test_what_makes_no_difference_is_said(replayed: Result) -> None:
    assert replayed.report is not None
    found = {each.what for diagnosis in replayed.report.diagnoses for each in diagnosis.ruled_out}
    assert "the slice" in found


@pytest.fixture(scope="module")
def read(runner: Runner, tmp_path_factory: pytest.TempPathFactory) -> Result:
    program = tmp_path_factory.mktemp("read") / "reads.py"
    program.write_text(READS)
    return runner.run(program)


def test_a_variable_that_is_stopped_itself_comes_back_as_well(read: Result) -> None:
    ((status, words),) = evidence(read, READS, "variable")
    assert status == "confirmed" and "checked numerically" in words


def test_rows_of_variables_are_read_and_elements_of_a_dataset_made_up(read: Result) -> None:
    ((status, words),) = evidence(read, READS, "gather")
    assert status == "confirmed" and "checked numerically" in words
    ((status, words),) = evidence(read, READS, "dataset")
    assert status == "confirmed" and "with made-up arguments" in words
