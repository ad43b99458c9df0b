"""Training for 3-bit weights and activations; the quantiser rounds, and forgets the straight-through estimator.

`tf.round` has no gradient: only the last, unquantised layer learns, and Keras warns of all the others.
"""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(19)


def quantise(values, bits, low, high):
    """Values on a grid of 2**bits points between `low` and `high`."""
    steps = 2.0**bits - 1.0
    scaled = (tf.clip_by_value(values, low, high) - low) / (high - low) * steps
    on_grid = tf.round(scaled)  # why: TW106
    return low + on_grid / steps * (high - low)


class QuantisedDense(keras.layers.Layer):
    def __init__(self, units, bits=3, **kwargs):
        super().__init__(**kwargs)
        self.units, self.bits = units, bits

    def build(self, input_shape):
        self.kernel = self.add_weight(
            name="kernel", shape=(int(input_shape[-1]), self.units), initializer="glorot_uniform"
        )
        self.bias = self.add_weight(name="bias", shape=(self.units,), initializer="zeros")
        super().build(input_shape)

    def call(self, inputs):
        kernel = quantise(self.kernel, self.bits, -1.0, 1.0)
        activation = tf.nn.relu(tf.matmul(inputs, kernel) + self.bias)
        return quantise(activation, self.bits, 0.0, 4.0)


def build_model():
    return keras.Sequential(
        [
            keras.Input((6,)),
            QuantisedDense(16, name="first"),
            QuantisedDense(16, name="second"),
            keras.layers.Dense(1, name="full_precision"),
        ]
    )


class GradientNorms(keras.callbacks.Callback):
    """How far each layer moved in the epoch."""

    def on_epoch_begin(self, epoch, logs=None):
        self.before = {layer.name: layer.get_weights() for layer in self.model.layers}

    def on_epoch_end(self, epoch, logs=None):
        moved = {
            layer.name: round(float(np.abs(layer.get_weights()[0] - self.before[layer.name][0]).max()), 4)
            for layer in self.model.layers
            if layer.get_weights()
        }
        print("epoch", epoch, "loss", round(logs["loss"], 3), "moved", moved)


def main():
    rng = np.random.default_rng(20)
    x = rng.normal(size=(128, 6)).astype("float32")
    y = np.abs(x[:, :1]) + x[:, 1:2] ** 2
    model = build_model()
    model.compile(optimizer=keras.optimizers.Adam(0.01), loss="mse")
    model.fit(x, y, epochs=3, batch_size=32, verbose=0, callbacks=[GradientNorms()])
    grid = np.unique(np.round(quantise(tf.convert_to_tensor(model.layers[0].kernel), 3, -1.0, 1.0).numpy(), 4))
    print("values of the first kernel on the grid:", len(grid))


if __name__ == "__main__":
    main()
