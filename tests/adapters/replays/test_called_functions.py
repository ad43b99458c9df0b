"""What is lost inside of a traced function that an eager step calls is undone in a copy of the function."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.evidence import evidence
from support.runner import Result, Runner

BREAKS = """
import tensorflow as tf

x = tf.constant([[0.5, -1.0], [2.0, 1.5]])


def asked():
    # Variables of a function are gone when the experiments are made.
    v = tf.Variable([1.0, 2.0], name="v")
    counter = tf.Variable(1.0, trainable=False)

    @tf.function
    def encoded(t):
        return tf.tanh(t * 2.0)

    hidden = encoded(x * v)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(hidden ** 2)
    tape.gradient(loss, v)  # outside

    @tf.function
    def stopped(t):
        return tf.stop_gradient(t * v)

    @tf.function
    def calls(t):
        return tf.reduce_sum(stopped(t + 1.0) ** 2)

    with tf.GradientTape() as tape:
        loss = calls(x) * 2.0
    tape.gradient(loss, v)  # nested

    @tf.function
    def rounded(t):
        return tf.reduce_sum(tf.cast(tf.cast(t * v * 1.4, tf.int32), tf.float32))

    with tf.GradientTape() as tape:
        loss = rounded(x) * 2.0
    tape.gradient(loss, v)  # cast

    @tf.function
    def divided(t):
        return tf.reduce_sum(tf.math.floordiv(t * v, 0.3))

    with tf.GradientTape() as tape:
        loss = divided(x) * 2.0
    tape.gradient(loss, v)  # divide

    @tf.custom_gradient
    def doubled(t):
        return t * 2.0, lambda upstream: None

    @tf.function
    def custom(t):
        return tf.reduce_sum(doubled(t * v) ** 2)

    with tf.GradientTape() as tape:
        loss = custom(x) * 2.0
    tape.gradient(loss, v)  # custom

    @tf.function
    def before_a_loop(t):
        total, t = tf.zeros([]), tf.stop_gradient(t * v)
        for _ in tf.range(3):
            total += tf.reduce_sum(t) ** 2
        return total

    with tf.GradientTape() as tape:
        loss = before_a_loop(x) * 2.0
    tape.gradient(loss, v)  # before a loop

    @tf.function
    def in_a_branch(t):
        if tf.reduce_sum(t) > 0.0:
            return tf.reduce_sum(tf.stop_gradient(t * v))
        return tf.reduce_sum(t)

    with tf.GradientTape() as tape:
        loss = tf.stop_gradient(in_a_branch(x)) * 2.0
    tape.gradient(loss, v)  # in a branch

    @tf.function
    def known_noise(t):
        return tf.reduce_sum(tf.stop_gradient(t * v) * tf.random.normal([2]) * counter)

    with tf.GradientTape() as tape:
        tape.watch(counter)
        loss = known_noise(x) * 2.0
    tape.gradient(loss, v)  # known noise

    @tf.function
    def lost_noise(t):
        return tf.reduce_sum(tf.stop_gradient(t * v * tf.random.normal([2])))

    with tf.GradientTape() as tape:
        loss = lost_noise(x) * 2.0
    tape.gradient(loss, v)  # lost noise

    @tf.function
    def called_by_python(t):
        return tf.reduce_sum(tf.stop_gradient(tf.numpy_function(lambda a: a * 2.0, [t * v], tf.float32)))

    with tf.GradientTape() as tape:
        loss = called_by_python(x) * 2.0
    tape.gradient(loss, v)  # python

    @tf.function
    def counts(t):
        result = tf.reduce_sum(tf.stop_gradient(t * v)) * counter
        counter.assign_add(1.0)
        return result

    with tf.GradientTape() as tape:
        loss = counts(x) * 2.0
    tape.gradient(loss, v)  # changed since


asked()
"""


@pytest.fixture(scope="module")
def replayed(runner: Runner, tmp_path_factory: pytest.TempPathFactory) -> Result:
    program = tmp_path_factory.mktemp("called") / "called.py"
    program.write_text(BREAKS)
    return runner.run(program)


@pytest.mark.parametrize("word", ["outside", "nested", "custom", "before a loop", "known noise"])
def test_the_gradient_comes_back_in_a_copy_and_is_the_slope(replayed: Result, word: str) -> None:
    ((status, words),) = evidence(replayed, BREAKS, word)
    assert status == "confirmed", words
    assert "checked numerically" in words and words.endswith("the loss is unchanged")


def test_what_was_cast_changes_the_target_when_it_is_not(replayed: Result) -> None:
    ((status, words),) = evidence(replayed, BREAKS, "cast")
    assert status == "confirmed" and "the loss differs, because nothing is rounded" in words


def test_past_an_operation_without_a_gradient_that_of_the_identity_comes_back(replayed: Result) -> None:
    ((status, words),) = evidence(replayed, BREAKS, "divide")
    assert status == "confirmed" and words.startswith("with a gradient of 1 for ")


@pytest.mark.parametrize(
    ("word", "why"),
    [
        ("lost noise", "the random numbers of RandomStandardNormal inside it are no longer known"),
        ("python", "it calls a Python function"),
        ("changed since", "a copy of it returns different values"),
    ],
)
def test_a_function_that_cannot_be_copied_is_called_as_a_whole_and_says_why(
    replayed: Result, word: str, why: str
) -> None:
    found = evidence(replayed, BREAKS, word)
    assert {status for status, _ in found} == {"unverified"} and why in found[0][1]


def test_what_is_lost_in_a_branch_of_the_function_stays_unverified(replayed: Result) -> None:
    assert {status for status, _ in evidence(replayed, BREAKS, "in a branch")} == {"unverified"}


CALLED_AGAIN_AND_AGAIN = """
import tensorflow as tf

v = tf.Variable([1.0, 2.0])


@tf.function
def encoded(x):
    return tf.tanh(x * v)


results = [encoded(tf.constant([float(number), 1.0])) for number in range(12)]
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.stack(results) ** 2)
tape.gradient(loss, v)  # again
"""


def test_copies_of_one_function_are_traced_once_and_tensorflow_has_no_reason_to_warn(
    runner: Runner, tmp_path: Path
) -> None:
    program = tmp_path / "again.py"
    program.write_text(CALLED_AGAIN_AND_AGAIN)
    result = runner.run(program)
    ((status, words),) = evidence(result, CALLED_AGAIN_AND_AGAIN, "again")
    assert status == "confirmed", words
    assert "retracing" not in result.stderr
