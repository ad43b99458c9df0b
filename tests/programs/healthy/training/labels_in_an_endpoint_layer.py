"""An endpoint layer that takes labels, a teacher in the pipeline, one variable of several asked for in a loop."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(107)
rng = np.random.default_rng(0)
x = rng.normal(size=(48, 5)).astype("float32")
y = (x[:, :1] > 0).astype("float32")


class Endpoint(layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.loss_fn = keras.losses.BinaryCrossentropy(from_logits=True)

    def call(self, logits, targets=None):
        if targets is not None:
            self.add_loss(self.loss_fn(targets, logits))
        return tf.nn.sigmoid(logits)


inputs, targets = keras.Input((5,), name="inputs"), keras.Input((1,), name="targets")
logits = layers.Dense(1, name="logits")(layers.Dense(8, "relu")(inputs))
endpoint = Endpoint(name="endpoint")
model = keras.Model([inputs, targets], endpoint(logits, targets))
model.compile("adam")
h = model.fit({"inputs": x, "targets": y}, epochs=2, verbose=0)
serving = keras.Model(inputs, endpoint(logits))
print([f"{v:.4f}" for v in h.history["loss"]], serving.predict(x[:2], verbose=0).shape)

data = tf.data.Dataset.from_tensor_slices(x).batch(12).map(lambda b: (b, serving(b, training=False))).prefetch(2)
student = keras.Sequential([keras.Input((5,)), layers.Dense(4, "relu"), layers.Dense(1, "sigmoid")])
student.compile("adam", "binary_crossentropy")
h = student.fit(data, epochs=2, verbose=0)
print([f"{v:.4f}" for v in h.history["loss"]])


class Counted(tf.Module):
    def __init__(self):
        super().__init__()
        self.w, self.calls = tf.Variable(tf.ones((5, 1))), tf.Variable(0)
        self.mean = tf.Variable(tf.zeros(5), trainable=False)
        self.beta = 1.0

    def __call__(self, x):
        self.calls.assign_add(1)
        self.mean.assign(0.9 * self.mean + 0.1 * tf.reduce_mean(x, 0))
        return (x - self.mean) @ self.w

    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self(x) - y) ** 2) + self.beta * tf.nn.l2_loss(self.w)
        for v in self.trainable_variables:
            g = tape.gradient(loss, v) if v.dtype.is_floating and v is self.w else None
            if g is not None:
                v.assign_sub(0.1 * g)
        return loss


module = Counted()
for beta in (1.0, 0.1, 0.01):
    module.beta = beta
    step = tf.function(module.step)
    for i in range(2):
        loss = step(tf.constant(x), tf.constant(y))
print(int(module.calls), f"{float(loss):.4f}")


class Phased(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense, self.coefficient = layers.Dense(1), 0.0

    def call(self, x):
        return self.dense(x)

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            p = self(x, training=True)
            loss = tf.reduce_mean((p - y) ** 2) + self.coefficient * tf.reduce_mean(tf.abs(p))
        self.optimizer.apply_gradients(zip(tape.gradient(loss, self.trainable_variables), self.trainable_variables))
        return {"loss": loss}


phased = Phased()
for coefficient in (0.0, 0.5):
    phased.coefficient = coefficient
    phased.compile(optimizer="sgd")
    h = phased.fit(x, y, epochs=1, verbose=0)
    print(f"{h.history['loss'][0]:.4f}")
phased.coefficient = 1.0
phased.make_train_function(force=True)
print(f"{phased.fit(x, y, epochs=1, verbose=0).history['loss'][0]:.4f}")
