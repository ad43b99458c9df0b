"""Asserts for people's own test suites."""

from __future__ import annotations

import numpy as np
import pytest

import tensorwhy

tf = pytest.importorskip("tensorflow")


def model(*layers):
    return tf.keras.Sequential([tf.keras.layers.Dense(4, name="first"), *layers, tf.keras.layers.Dense(2)])


def test_gradients_flow_through_a_healthy_model() -> None:
    tensorwhy.assert_gradients_flow(model(tf.keras.layers.Softmax()), np.ones((3, 5), "float32"))


def test_a_model_that_stops_a_gradient_is_named_with_the_reason() -> None:
    broken = model(tf.keras.layers.Lambda(lambda x: tf.stop_gradient(x)))
    with pytest.raises(AssertionError, match=r"None for 2 of 4: .*first/kernel") as failure:
        tensorwhy.assert_gradients_flow(broken, np.ones((3, 5), "float32"))
    assert "TW104" in str(failure.value)


def test_gradients_flow_through_a_function() -> None:
    tensorwhy.assert_gradients_flow(lambda x, y: x * y, (tf.constant(2.0), np.float32(3.0)))
    with pytest.raises(AssertionError, match="None for 1 of 1"):
        tensorwhy.assert_gradients_flow(tf.round, tf.constant(2.0))


def test_zeros_count_when_asked() -> None:
    tensorwhy.assert_gradients_flow(tf.nn.relu, tf.constant([-1.0]))
    with pytest.raises(AssertionError, match="exactly zero"):
        tensorwhy.assert_gradients_flow(tf.nn.relu, tf.constant([-1.0]), allow_zeros=False)


def test_a_model_whose_gradients_are_zero_is_told_why() -> None:
    dead = tf.keras.layers.Dense(4, "relu", bias_initializer=tf.keras.initializers.Constant(-100.0))
    model = tf.keras.Sequential([dead, tf.keras.layers.Dense(1)])
    with pytest.raises(AssertionError, match="exactly zero for 3 of 4") as failure:
        tensorwhy.assert_gradients_flow(model, tf.ones([4, 3]), allow_zeros=False)
    assert "TW201" in str(failure.value)


def test_a_variable_is_an_input() -> None:
    tensorwhy.assert_gradients_flow(lambda x: x * x, tf.Variable(2.0))
    with pytest.raises(AssertionError, match="None for 1 of 1"):
        tensorwhy.assert_gradients_flow(tf.round, tf.Variable(2.0))


def test_what_gives_no_floats_is_refused() -> None:
    with pytest.raises(ValueError, match="floating-point output"):
        tensorwhy.assert_gradients_flow(lambda x: tf.argmax(x), tf.constant([1.0]))


def test_all_trained() -> None:
    trained = model()
    trained.compile("sgd", "mse")
    x, y = np.random.rand(8, 5).astype("float32"), np.random.rand(8, 2).astype("float32")
    tensorwhy.assert_all_trained(trained, lambda: trained.train_on_batch(x, y))


def test_a_variable_that_is_not_trained_is_named() -> None:
    trained = model()
    trained.build((None, 5))

    def step() -> None:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(trained(tf.ones((3, 5))))
        kernel = trained.layers[0].kernel
        kernel.assign_sub(tape.gradient(loss, kernel))

    with pytest.raises(AssertionError, match=r"3 of 4 trainable variables did not change: .*first/bias"):
        tensorwhy.assert_all_trained(trained, step)


@pytest.mark.parametrize("before", ["nothing", "built", "trained"])
def test_a_variable_that_is_not_trained_is_explained(before: str) -> None:
    broken = model(tf.keras.layers.Lambda(lambda x: tf.stop_gradient(x)))
    broken.compile("sgd", "mse")
    x, y = np.random.rand(8, 5).astype("float32"), np.random.rand(8, 2).astype("float32")
    if before == "built":
        broken.build((None, 5))
    if before == "trained":
        broken.train_on_batch(x, y)
    with pytest.raises(AssertionError, match="2 of 4 trainable variables did not change") as failure:
        tensorwhy.assert_all_trained(broken, lambda: broken.train_on_batch(x, y))
    assert "TW104" in str(failure.value)
    assert not tf.config.functions_run_eagerly()


def test_what_has_nothing_to_train_is_refused() -> None:
    with pytest.raises(ValueError, match="this ReLU has none"):
        tensorwhy.assert_all_trained(tf.keras.layers.ReLU(), lambda: None)


KEPT: list = []


def test_a_leak_is_named_with_its_holder() -> None:
    KEPT.clear()

    @tf.function
    def leaking(x):
        KEPT.append(x * 2.0)
        return x

    with pytest.raises(AssertionError, match=r"`KEPT\[0\]` holds .* of `leaking`, made at .*test_asserts.py"):
        tensorwhy.assert_no_leaks(leaking, tf.constant(1.0))
    KEPT.clear()


def test_no_leak_is_no_leak() -> None:
    @tf.function
    def fine(x):
        return tf.map_fn(lambda each: each * 2.0, x)

    assert tensorwhy.assert_no_leaks(fine, tf.constant([1.0])).numpy() == [2.0]
    built = model()
    built.compile("sgd", "mse")
    tensorwhy.assert_no_leaks(built.fit, np.ones((4, 5), "float32"), np.ones((4, 2), "float32"), verbose=0)
