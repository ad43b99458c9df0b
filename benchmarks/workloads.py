"""What is measured: realistic training steps, and the worst case, each as a function without arguments."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import tensorflow as tf
from sampling import Step

layers = tf.keras.layers


def tiny_ops() -> Step:
    """Two hundred operations on scalars under a tape: nothing but overhead."""
    x = tf.Variable(0.5)

    def step() -> object:
        with tf.GradientTape() as tape:
            y = x * 1.0
            for _ in range(100):
                y = tf.sin(y) + x
        return tape.gradient(y, x)

    return step


def mlp() -> Step:
    model = tf.keras.Sequential(
        [layers.Dense(256, activation="relu"), layers.Dense(256, activation="relu"), layers.Dense(10)]
    )
    return _training(model, (64, 128), eager=True)


def cnn(eager: bool = True) -> Step:
    model = tf.keras.Sequential(
        [layers.Conv2D(16, 3, activation="relu"), layers.Conv2D(32, 3, strides=2, activation="relu"),
         layers.GlobalAveragePooling2D(), layers.Dense(10)]
    )  # fmt: skip
    return _training(model, (16, 28, 28, 3), eager)


def lstm(eager: bool = True) -> Step:
    return _training(tf.keras.Sequential([layers.LSTM(64), layers.Dense(10)]), (32, 20, 32), eager)


def transformer_block(eager: bool = True) -> Step:
    inputs = tf.keras.Input((32, 64))
    attended = layers.LayerNormalization()(inputs + layers.MultiHeadAttention(4, 16)(inputs, inputs))
    hidden = layers.Dense(64)(layers.Dense(128, activation="relu")(attended))
    outputs = layers.Dense(10)(layers.GlobalAveragePooling1D()(layers.LayerNormalization()(attended + hidden)))
    return _training(tf.keras.Model(inputs, outputs), (16, 32, 64), eager)


def mlp_function() -> Step:
    """The worst case of a traced step: it is so short that a call costs more than what is called."""
    model = tf.keras.Sequential([layers.Dense(256, activation="relu"), layers.Dense(10)])
    return _training(model, (64, 128), eager=False)


def in_turn() -> Step:
    """Two traced functions by turns, as a GAN has them."""
    one, two = mlp_function(), mlp_function()
    return lambda: (one(), two())


def fit(batches: int = 20) -> Step:
    """One epoch."""
    model = tf.keras.Sequential([layers.Dense(256, activation="relu"), layers.Dense(10)])
    x, y = _data((64 * batches, 128))
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    return lambda: model.fit(x, y, batch_size=64, verbose=0)


def _data(shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    return rng.normal(size=shape).astype("float32"), rng.integers(10, size=shape[0])


def _training(model: tf.keras.Model, shape: tuple[int, ...], eager: bool) -> Step:
    x, y = (tf.constant(value) for value in _data(shape))
    loss_of = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    optimizer = tf.keras.optimizers.Adam(1e-3)
    model(x)

    def step() -> object:
        with tf.GradientTape() as tape:
            loss = loss_of(y, model(x, training=True))
        weights = model.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
        return loss

    return step if eager else tf.function(step)


def traced() -> Step:
    """Trace a training step of a small model anew."""
    model = tf.keras.Sequential(
        [layers.Dense(64, activation="relu"), layers.Dense(64, activation="relu"), layers.Dense(10)]
    )
    x, y = (tf.constant(value) for value in _data((8, 32)))
    loss_of = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model(x)

    def step() -> object:
        with tf.GradientTape() as tape:
            loss = loss_of(y, model(x, training=True))
        return tape.gradient(loss, model.trainable_variables)

    return lambda: tf.function(step).get_concrete_function()


WORKLOADS: dict[str, Callable[[], Step]] = {
    "micro loop of tiny ops": tiny_ops,
    "MLP + Adam, eager": mlp,
    "CNN + Adam, eager": cnn,
    "LSTM + Adam, eager": lstm,
    "transformer block + Adam, eager": transformer_block,
    "MLP + Adam, tf.function": mlp_function,
    "two MLPs in turn, tf.function": in_turn,
    "CNN + Adam, tf.function": lambda: cnn(eager=False),
    "LSTM + Adam, tf.function": lambda: lstm(eager=False),
    "transformer block + Adam, tf.function": lambda: transformer_block(eager=False),
    "MLP, model.fit of 20 batches": fit,
    "MLP, model.fit of 100 batches": lambda: fit(100),
    "tracing an MLP's step": traced,
}
