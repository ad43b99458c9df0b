"""One update of a variable that stands still is computed again: in its own dtype, in a wider one, and unconstrained."""

from __future__ import annotations

from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.tensorflow.ledger.filled import groups  # noqa: E402

IS_KERAS_3 = not hasattr(tf.keras, "__version__") or tf.keras.__version__.startswith("3")


def facts(session: Any) -> list[Any]:
    return [fact for group in groups(session) for fact in group.facts]


def train(optimizer: Any, *variables: Any, traced: bool = False, steps: int = 6) -> None:
    def step() -> None:
        with tf.GradientTape() as tape:
            loss = tf.add_n([tf.reduce_sum(tf.cast(each, tf.float32) * 3.0) for each in variables])
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))

    step = tf.function(step) if traced else step
    for _ in range(steps):
        step()


@pytest.mark.skipif(not IS_KERAS_3, reason="Keras 2 corrects the bias of Adam in float32")
@pytest.mark.parametrize("traced", [False, True])
def test_the_first_intermediate_that_the_dtype_loses_is_named(session, traced) -> None:
    session.keep_for_experiments()
    narrow, wide = tf.Variable([1.0, 2.0], dtype=tf.bfloat16), tf.Variable([1.0])
    train(tf.keras.optimizers.Adam(0.5), narrow, wide, traced=traced)
    (fact,) = facts(session)
    replayed = fact.replayed
    assert (len(fact.variables), replayed.dtype, replayed.operation) == (1, "bfloat16", "1 - beta_2_power")
    assert replayed.value == 0 and 0.0 < replayed.wide_value < 0.02
    assert replayed.moves_in_float32 and replayed.place.file.endswith("adam.py")


def test_an_update_that_is_rounded_away_is_shown_beside_the_spacing_of_the_dtype(session) -> None:
    train(tf.keras.optimizers.SGD(1e-5), tf.Variable([1.0, 1.0], dtype=tf.float16), tf.Variable([1.0]))
    (fact,) = facts(session)
    replayed = fact.replayed
    assert (replayed.operation, replayed.dtype, replayed.spacing) == ("", "float16", 2.0**-10)
    assert replayed.value == pytest.approx(3e-5, rel=1e-3)


def test_a_rate_that_the_dtype_can_add_moves_the_same_variable(session) -> None:
    train(tf.keras.optimizers.SGD(1e-1), tf.Variable([1.0, 1.0], dtype=tf.float16), tf.Variable([1.0]))
    assert facts(session) == []


def test_float32_is_too_narrow_for_a_large_value(session) -> None:
    train(tf.keras.optimizers.SGD(1e-3), tf.Variable([1e6]), tf.Variable([1.0]))
    (fact,) = facts(session)
    assert (fact.replayed.dtype, fact.replayed.spacing) == ("float32", 2.0**-4)


@pytest.mark.skipif(not IS_KERAS_3, reason="the optimizers of Keras 2 apply a constraint inside of the update")
def test_a_constraint_that_puts_the_former_value_back_is_named(session) -> None:
    weight = tf.Variable([0.0, 0.0], constraint=tf.keras.constraints.NonNeg())
    if IS_KERAS_3:
        import keras

        weight = keras.Variable([0.0, 0.0], name="gain")
        weight.constraint = keras.constraints.NonNeg()
    other = tf.Variable([1.0])
    optimizer = tf.keras.optimizers.SGD(0.1)
    for _ in range(5):
        with tf.GradientTape() as tape:
            value = tf.convert_to_tensor(weight)
            loss = tf.reduce_sum(value) + tf.reduce_sum(other)
        given = [weight.value if IS_KERAS_3 else weight, other]
        optimizer.apply_gradients(zip(tape.gradient(loss, given), [weight, other]))
    (fact,) = facts(session)
    assert (fact.replayed.constraint, fact.replayed.operation) == ("NonNeg", "")


def test_what_the_program_puts_back_is_no_fault_of_the_dtype(session) -> None:
    variable, optimizer = tf.Variable([1.0]), tf.keras.optimizers.SGD(0.1)
    for _ in range(6):
        kept = tf.identity(variable)
        train(optimizer, variable, steps=1)
        variable.assign(kept)
    (fact,) = facts(session)
    assert fact.replayed is None and fact.over is not None


def test_an_optimizer_that_looks_at_all_gradients_is_not_replayed_for_one(session) -> None:
    optimizer = tf.keras.optimizers.SGD(1e-5, global_clipnorm=1.0)
    train(optimizer, tf.Variable([1.0, 1.0], dtype=tf.float16))
    (fact,) = facts(session)
    assert fact.replayed is None and fact.nonzero


def test_zeros_in_every_step_are_told_while_others_learn(session) -> None:
    session.keep_for_experiments()
    limit, weight = tf.Variable(6.0), tf.Variable([0.5])
    optimizer = tf.keras.optimizers.SGD(0.1)
    for _ in range(6):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.square(tf.minimum(weight, limit)))
        optimizer.apply_gradients(zip(tape.gradient(loss, [limit, weight]), [limit, weight]))
    (fact,) = facts(session)
    assert (fact.nonzero, fact.others, [each.name for each in fact.variables]) == (False, 1, [limit.name])
    assert fact.comes_back.endswith("instead of 6")


def test_an_offset_that_cancels_whatever_its_value_is_rightly_stays_as_it_is(session) -> None:
    session.keep_for_experiments()
    offset, weight = tf.Variable([0.5]), tf.Variable([[0.5], [0.25]])
    optimizer = tf.keras.optimizers.SGD(0.1)
    for _ in range(6):
        with tf.GradientTape() as tape:
            first, second = tf.ones((2, 2)) @ weight + offset, tf.eye(2) @ weight + offset
            loss = tf.reduce_sum(tf.square(first - second))
        optimizer.apply_gradients(zip(tape.gradient(loss, [offset, weight]), [offset, weight]))
    assert facts(session) == []


def test_a_gradient_that_comes_once_is_not_always_zero(session) -> None:
    limit, weight = tf.Variable(6.0), tf.Variable([0.5])
    optimizer = tf.keras.optimizers.SGD(0.1)
    for number in range(6):
        with tf.GradientTape() as tape:
            factor = 1.0 if number == 1 else 0.0
            loss = tf.reduce_sum(tf.square(weight)) + limit * factor
        optimizer.apply_gradients(zip(tape.gradient(loss, [limit, weight]), [limit, weight]))
    assert facts(session) == []
