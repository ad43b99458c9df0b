"""Custom cells under RNN, stateful and stacked, masks passed on, initial states as inputs, constants, bidirectional."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(62)
rng = np.random.default_rng(62)
x = rng.normal(size=(16, 4, 3)).astype("float32")
x[:, 3:] = 0
y = x.sum(axis=(1, 2))[:, None]


class MinimalCell(layers.Layer):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units, self.state_size, self.output_size = units, units, units

    def build(self, shape):
        self.kernel = self.add_weight(name="kernel", shape=(shape[-1], self.units), initializer="glorot_uniform")
        self.recurrent = self.add_weight(name="recurrent", shape=(self.units, self.units), initializer="orthogonal")
        self.gate = self.add_weight(name="gate", shape=(shape[-1], self.units), initializer="glorot_uniform")
        self.built = True

    def call(self, inputs, states):
        previous = states[0]
        keep = tf.sigmoid(tf.matmul(inputs, self.gate))
        new = tf.tanh(tf.matmul(inputs, self.kernel) + tf.matmul(previous, self.recurrent))
        output = keep * previous + (1 - keep) * new
        return output, [output]


inputs = keras.Input((4, 3))
h = layers.Masking(0.0)(inputs)
h = layers.Bidirectional(layers.LSTM(4, return_sequences=True))(h)
h = layers.RNN([MinimalCell(5), MinimalCell(4)], return_sequences=True)(h)
h = layers.TimeDistributed(layers.Dense(3, activation="relu"))(h)
h = layers.RNN(MinimalCell(4), unroll=True)(h)
model = keras.Model(inputs, layers.Dense(1)(h))
model.compile("adam", "mse")
print(len(model.fit(x, y, epochs=2, batch_size=8, verbose=0).history["loss"]), len(model.trainable_weights))

sequence, state = keras.Input((None, 3)), keras.Input((4,))
outputs, last = layers.GRU(4, return_sequences=True, return_state=True)(sequence, initial_state=state)
stepper = keras.Model([sequence, state], [outputs, last])
carried = np.zeros((16, 4), "float32")
for start in range(0, 4, 2):
    _, carried = stepper.predict([x[:, start : start + 2], carried], verbose=0)
print(carried.shape)


class ResidualStack(keras.Model):
    def __init__(self, depth):
        super().__init__()
        self.blocks = [[layers.Dense(3), layers.LayerNormalization()] for _ in range(depth)]
        self.heads = {"mean": layers.Dense(1), "scale": layers.Dense(1, activation="softplus")}

    def call(self, x, training=False):
        for dense, norm in self.blocks:
            x = x + norm(tf.nn.relu(dense(x)))
        return {name: head(x[:, 0]) for name, head in self.heads.items()}


stack = ResidualStack(2)
with tf.GradientTape() as tape:
    out = stack(x)
    loss = tf.reduce_mean(((y - out["mean"]) / (out["scale"] + 0.1)) ** 2 + tf.math.log(out["scale"] + 0.1))
grads = tape.gradient(loss, stack.trainable_variables)
print(len(grads), all(g is not None for g in grads))
