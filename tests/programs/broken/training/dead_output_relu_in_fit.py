"""A network for targets that are all negative ends in a ReLU."""

import numpy as np
import tensorflow as tf
from tensorflow import keras


def load(count=200):
    rng = np.random.RandomState(3)
    x = rng.normal(size=(count, 6)).astype("float32")
    y = x @ np.array([1.0, -2.0, 0.5, 0.0, 1.5, -0.5], dtype="float32") - 4.0
    return x, (y - 12.0)[:, None] / 4.0


def build(width, depth, activation):
    model = keras.Sequential([keras.Input((6,))])
    for _ in range(depth):
        model.add(keras.layers.Dense(width, activation=activation))
    low = keras.initializers.Constant(-2.0)
    small = keras.initializers.RandomNormal(stddev=1e-3, seed=1)
    model.add(keras.layers.Dense(1, activation, bias_initializer=low, kernel_initializer=small))  # why: TW201
    model.compile(optimizer=keras.optimizers.Adam(1e-3), loss="mse", metrics=["mae"])
    return model


def main():
    tf.random.set_seed(0)
    x, y = load()
    model = build(16, 2, "relu")
    history = model.fit(x, y, epochs=3, batch_size=32, verbose=0)
    print(history.history["loss"])
    print(model.predict(x[:5], verbose=0).ravel())


if __name__ == "__main__":
    main()
