"""Explanations of gradients are checked by executing the recorded step again; afterwards nothing is left of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.evidence import evidence
from support.runner import Result, Runner

BREAKS = """
import tensorflow as tf

v = tf.Variable([1.0, 2.0], name="v")
x = tf.constant([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.square(x))
tape.gradient(loss, x)  # watch

before = tf.exp(x)
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(before)
tape.gradient(loss, x)  # both

with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.stop_gradient(v * 2.0) ** 3)
tape.gradient(loss, v)  # stop

with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.cast(tf.cast(v * 1.4, tf.int32), tf.float32) * 2.0)
tape.gradient(loss, v)  # cast

with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.constant((v * 2.0).numpy()) ** 2)
tape.gradient(loss, v)  # bridge

with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.constant((v * 2.0).numpy() + 1.0) ** 2)
tape.gradient(loss, v)  # numpy

with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.stop_gradient(tf.gather(v, [1, 1])) ** 2)
tape.gradient(loss, v)  # rows

with tf.GradientTape() as tape:
    noise = tf.random.normal([2])
    with tape.stop_recording():
        hidden = v * noise
    loss = tf.reduce_sum(hidden * noise)
tape.gradient(loss, v)  # random

@tf.function
def square(t):
    return tf.reduce_sum(t * t) * tf.reduce_sum(v)

with tf.GradientTape() as tape:
    loss = square(x)
tape.gradient(loss, x)  # function

@tf.function
def cube(t):
    return tf.reduce_sum(t ** 3)

with tf.GradientTape() as tape:
    loss = cube(x)
tape.gradient(loss, x)  # not recorded

with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.round(v * 1.4))
tape.gradient(loss, v)  # round

with tf.GradientTape() as tape:
    loss = tf.reduce_sum(v // 0.3)
tape.gradient(loss, v)  # divide

with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.cast(tf.argmax(tf.stack([v, v * 2.0], 1), 1), tf.float32))
tape.gradient(loss, v)  # argmax

@tf.custom_gradient
def doubled(t):
    return t * 2.0, lambda upstream: None

with tf.GradientTape() as tape:
    loss = tf.reduce_sum(doubled(v * 3.0) ** 2)
tape.gradient(loss, v)  # custom

w = tf.Variable([0.0, 0.0], trainable=False)
with tf.GradientTape() as tape:
    w.assign(v * 3.0)
    loss = tf.reduce_sum(w ** 2)
tape.gradient(loss, v)  # state

kernel = tf.Variable([0.0, 0.0], trainable=False)
with tf.GradientTape() as tape:
    kernel.assign(v * 3.0)
    loss = tf.reduce_sum(tf.nn.bias_add(tf.ones([2, 2]), kernel) ** 2)
tape.gradient(loss, v)  # read by a kernel

with tf.GradientTape() as tape:
    w.assign_add(v * 3.0)
    loss = tf.reduce_sum(w ** 2)
tape.gradient(loss, v)  # added to the state
"""

ALIVE = """
import gc, weakref
import tensorflow as tf

v = tf.Variable([1.0, 2.0])


def step():
    batch = tf.ones([2]) * 3.0
    with tf.GradientTape() as tape:
        hidden = v * batch
        loss = tf.reduce_sum(hidden)
    tape.gradient(loss, v)
    return weakref.ref(hidden), weakref.ref(batch)


refs = step()
gc.collect()
print([ref() for ref in refs])
"""


AGAIN = """
import gc, weakref
import tensorflow as tf

v, w = tf.Variable([1.0, 2.0]), tf.Variable([3.0, 4.0])


def step():
    batch = tf.ones([2]) * 3.0
    with tf.GradientTape(persistent=True) as tape:
        hidden = v * batch
        loss = tf.reduce_sum(hidden * tf.stop_gradient(w))
    tape.gradient(loss, v)
    tape.gradient(loss, w)
    tape.gradient(loss, v)
    return weakref.ref(hidden), weakref.ref(batch)


refs = step()
gc.collect()
print([ref() for ref in refs])
"""
FED = """
import gc, weakref
import tensorflow as tf

batches = iter(tf.data.Dataset.from_generator(lambda: iter([1.0, 2.0]), output_signature=tf.TensorSpec([])))
with tf.GradientTape():
    next(batches)
ref = weakref.ref(batches._iterator_resource)
del batches
gc.collect()
print(ref())
"""


LISTS = """
import tensorflow as tf

x = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
with tf.GradientTape() as tape:
    array = tf.TensorArray(tf.float32, size=2).unstack(x * 2.0)
    outputs = [array.read(0) * 3.0]
    first = tf.stack(outputs)
    outputs.append(array.read(1))
    loss = tf.reduce_sum(tf.stop_gradient(first * tf.stack(outputs)))
outputs.clear()
print(tape.gradient(loss, x))  # lists
"""


@pytest.fixture(scope="module")
def replayed(runner: Runner, tmp_path_factory: pytest.TempPathFactory) -> Result:
    program = tmp_path_factory.mktemp("breaks") / "breaks.py"
    program.write_text(BREAKS)
    return runner.run(program)


@pytest.mark.parametrize("word", ["watch", "stop", "bridge", "random", "rows"])
def test_the_gradient_comes_back_when_the_break_is_undone_and_is_the_slope(replayed: Result, word: str) -> None:
    ((status, words),) = evidence(replayed, BREAKS, word)
    assert status == "confirmed"
    assert words.endswith("there is a gradient (checked numerically), and the loss is unchanged")


def test_of_two_breaks_neither_suffices_alone(replayed: Result) -> None:
    found = evidence(replayed, BREAKS, "both")
    assert [status for status, _ in found] == ["confirmed", "confirmed"]
    assert all(
        "without both problems" in words and "with only one removed, it is still None" in words for _, words in found
    )


@pytest.mark.parametrize("word", ["cast", "round"])
def test_what_was_rounded_changes_the_target_when_it_is_not(replayed: Result, word: str) -> None:
    ((status, words), *_) = evidence(replayed, BREAKS, word)
    assert status == "confirmed" and "the loss differs, because nothing is rounded" in words


def test_what_was_computed_outside_is_not_bridged(replayed: Result) -> None:
    ((status, _),) = evidence(replayed, BREAKS, "numpy")
    assert status == "unverified"


@pytest.mark.parametrize("word", ["function", "not recorded"])
def test_a_traced_function_takes_part_whether_it_was_recorded_or_not(replayed: Result, word: str) -> None:
    ((status, words),) = evidence(replayed, BREAKS, word)
    assert status == "confirmed" and "checked numerically" in words


def test_past_an_operation_without_a_gradient_that_of_the_identity_comes_back(replayed: Result) -> None:
    ((status, words),) = evidence(replayed, BREAKS, "divide")
    assert status == "confirmed" and words.startswith("with a gradient of 1 for ")
    assert "numerically" not in words and words.endswith("the loss is unchanged")


def test_what_gives_something_else_than_it_takes_stays_unverified(replayed: Result) -> None:
    ((status, words),) = evidence(replayed, BREAKS, "argmax")
    assert status == "unverified" and "differ in shape or dtype" in words


def test_what_a_custom_gradient_computes_has_a_gradient_of_its_own(replayed: Result) -> None:
    ((status, words),) = evidence(replayed, BREAKS, "custom")
    assert status == "confirmed" and words.startswith("with TensorFlow's own gradient instead of the custom one")
    assert "checked numerically" in words


def test_what_was_stored_in_a_variable_is_taken_for_the_tensor_that_it_was(replayed: Result) -> None:
    ((status, words),) = evidence(replayed, BREAKS, "state")
    assert status == "confirmed" and "checked numerically" in words


def test_a_variable_that_a_kernel_reads_by_itself_is_taken_for_what_was_stored_in_it(replayed: Result) -> None:
    ((status, words),) = evidence(replayed, BREAKS, "read by a kernel")
    assert status == "confirmed" and "checked numerically" in words


def test_what_was_added_to_a_variable_is_not_taken_for_its_value(replayed: Result) -> None:
    ((status, _),) = evidence(replayed, BREAKS, "added to the state")
    assert status == "unverified"


def test_no_experiments_are_made_on_request(runner: Runner, tmp_path: Path) -> None:
    program = tmp_path / "breaks.py"
    program.write_text(BREAKS[: BREAKS.index("# watch")])
    result = runner.run(program, options=("--no-experiments",))
    assert result.report is not None
    assert {f.verification.method for d in result.report.diagnoses for f in d.fixes} == {"none"}, result.account()


def test_nothing_of_a_step_is_alive_after_an_answer_without_none(runner: Runner, tmp_path: Path) -> None:
    program = tmp_path / "alive.py"
    program.write_text(ALIVE)
    result = runner.run(program)
    assert result.stdout == "[None, None]\n", result.account()


def test_a_tape_that_is_asked_again_has_its_step_kept_while_it_is_alive(runner: Runner, tmp_path: Path) -> None:
    program = tmp_path / "again.py"
    program.write_text(AGAIN)
    result = runner.run(program)
    assert result.stdout == "[None, None]\n", result.account()
    (verification,) = [fix.verification for d in result.report.diagnoses for fix in d.fixes] if result.report else ()
    assert verification.status == "confirmed", verification.evidence


def test_lists_that_the_program_goes_on_with_are_kept_as_they_were(runner: Runner, tmp_path: Path) -> None:
    program = tmp_path / "lists.py"
    program.write_text(LISTS)
    ((status, words),) = evidence(runner.run(program), LISTS, "lists")
    assert status == "confirmed" and "checked numerically" in words


def test_an_iterator_is_not_kept(runner: Runner, tmp_path: Path) -> None:
    program = tmp_path / "fed.py"
    program.write_text(FED)
    assert runner.run(program).stdout == "None\n"
