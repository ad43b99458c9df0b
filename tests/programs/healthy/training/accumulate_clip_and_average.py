"""A model that accumulates gradients over steps, clips them, skips bad steps and keeps an average of its weights."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(55)
rng = np.random.default_rng(55)
x, y = rng.normal(size=(64, 4)).astype("float32"), rng.normal(size=(64, 1)).astype("float32")


class Accumulating(keras.Model):
    def __init__(self, inner, every):
        super().__init__()
        self.inner, self.every = inner, every
        self.counter = tf.Variable(0, dtype=tf.int32, trainable=False)
        self.sums = [tf.Variable(tf.zeros_like(w), trainable=False) for w in inner.trainable_variables]
        self.averages = [tf.Variable(tf.identity(w), trainable=False) for w in inner.trainable_variables]
        self.tracker = keras.metrics.Mean(name="loss")

    @property
    def metrics(self):
        return [self.tracker]

    def call(self, inputs, training=False):
        return self.inner(inputs, training=training)

    def train_step(self, data):
        inputs, targets = data
        self.counter.assign_add(1)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self(inputs, training=True) - targets) ** 2)
        grads = tape.gradient(loss, self.inner.trainable_variables)
        grads, norm = tf.clip_by_global_norm(grads, 1.0)
        finite = tf.math.is_finite(norm)
        for total, grad in zip(self.sums, grads):
            total.assign_add(tf.where(finite, grad, tf.zeros_like(grad)))
        tf.cond(tf.equal(self.counter % self.every, 0), self.update, lambda: None)
        self.tracker.update_state(loss)
        return {"loss": self.tracker.result()}

    def update(self):
        for weight, total, average in zip(self.inner.trainable_variables, self.sums, self.averages):
            weight.assign_sub(0.05 * total / self.every)
            total.assign(tf.zeros_like(total))
            average.assign(0.9 * average + 0.1 * weight)


inner = keras.Sequential([keras.Input((4,)), keras.layers.Dense(8, activation="relu"), keras.layers.Dense(1)])
start = inner.get_weights()
model = Accumulating(inner, 4)
model.compile()
history = model.fit(x, y, epochs=2, batch_size=8, verbose=0)
moved = [bool((a != b).any()) for a, b in zip(start, inner.get_weights())]
print(int(model.counter.numpy()), all(moved), len(history.history["loss"]))
