"""Own optimizer loop parts: regulariser, constraint, initialiser, activation, metric, loss, layer, saved and loaded."""

import os
import tempfile

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(52)
rng = np.random.default_rng(52)
x, y = rng.normal(size=(40, 6)).astype("float32"), rng.normal(size=(40, 1)).astype("float32")


class Orthogonal(keras.regularizers.Regularizer):
    def __init__(self, factor=0.01):
        self.factor = factor

    def __call__(self, w):
        gram = tf.matmul(w, w, transpose_a=True)
        return self.factor * tf.reduce_sum((gram - tf.eye(gram.shape[0])) ** 2)

    def get_config(self):
        return {"factor": self.factor}


class UnitColumns(keras.constraints.Constraint):
    def __call__(self, w):
        return w / tf.maximum(tf.norm(w, axis=0, keepdims=True), 1e-6)


class Scaled(keras.initializers.Initializer):
    def __call__(self, shape, dtype=None, **kwargs):
        return tf.random.stateless_normal(shape, seed=(1, 2), dtype=dtype or tf.float32) / float(shape[0]) ** 0.5

    def get_config(self):
        return {}


class HuberLike(keras.losses.Loss):
    def __init__(self, threshold=1.0, name="huber_like", **kwargs):
        super().__init__(name=name)
        self.threshold = threshold

    def call(self, y_true, y_pred):
        error = y_true - y_pred
        small = tf.abs(error) < self.threshold
        squared, linear = tf.square(error) / 2, self.threshold * tf.abs(error) - self.threshold**2 / 2
        return tf.where(small, squared, linear)

    def get_config(self):
        return {"threshold": self.threshold, "name": self.name}


class Within(keras.metrics.Metric):
    def __init__(self, name="within", **kwargs):
        super().__init__(name=name)
        self.hits = self.add_weight(name="hits", initializer="zeros")
        self.count = self.add_weight(name="count", initializer="zeros")

    def update_state(self, y_true, y_pred, sample_weight=None):
        close = tf.cast(tf.abs(y_true - y_pred) < 0.5, tf.float32)
        self.hits.assign_add(tf.reduce_sum(close))
        self.count.assign_add(tf.cast(tf.size(close), tf.float32))

    def result(self):
        return self.hits / tf.maximum(self.count, 1.0)

    def reset_state(self):
        self.hits.assign(0.0)
        self.count.assign(0.0)


def mish(t):
    return t * tf.math.tanh(tf.math.softplus(t))


class Gated(keras.layers.Layer):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units = units

    def build(self, shape):
        self.kernel = self.add_weight(
            name="kernel", shape=(shape[-1], self.units), initializer=Scaled(), constraint=UnitColumns()
        )
        self.gate = self.add_weight(name="gate", shape=(shape[-1], self.units), regularizer=Orthogonal())
        self.calls = self.add_weight(name="calls", shape=(), initializer="zeros", trainable=False)
        super().build(shape)

    def call(self, inputs, training=False):
        if training:
            self.calls.assign_add(1.0)
        return mish(inputs @ self.kernel) * tf.sigmoid(inputs @ self.gate)

    def get_config(self):
        return {**super().get_config(), "units": self.units}


model = keras.Sequential([keras.Input((6,)), Gated(4), keras.layers.Dense(1, activation=mish)])
model.compile(keras.optimizers.RMSprop(1e-3), HuberLike(), metrics=[Within()])
history = model.fit(x, y, epochs=2, batch_size=10, verbose=0)
path = os.path.join(tempfile.mkdtemp(), "model.h5")
model.save(path)
custom = {c.__name__: c for c in (Orthogonal, UnitColumns, Scaled, HuberLike, Within, Gated, mish)}
loaded = keras.models.load_model(path, custom_objects=custom)
print(np.allclose(model.predict(x, verbose=0), loaded.predict(x, verbose=0)), sorted(history.history))
print(float(tf.norm(model.layers[0].kernel, axis=0)[0]).__round__(3))
