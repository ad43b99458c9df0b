"""Traces that are meant to be: two modes, padded lengths, a last smaller batch, a model for each fold, `fit` itself."""

import numpy as np
import tensorflow as tf

weights = tf.Variable(tf.random.normal([4, 1]))
traces = []


@tf.function
def forward(x, training, activation=tf.nn.relu):
    traces.append(training)
    y = activation(x @ weights)
    return tf.nn.dropout(y, 0.5) if training else y


for step in range(60):
    length = 8 * (1 + step % 4)
    forward(tf.random.normal([length, 4]), training=step % 2 == 0)
assert len(traces) == 4

for fold in range(6):
    model = tf.Module()
    model.bias = tf.Variable(float(fold))

    @tf.function
    def fold_step(x, model=model):
        model.bias.assign_add(tf.reduce_mean(x))
        return model.bias.read_value()

    for _ in range(20):
        fold_step(tf.ones([4]))

x, y = np.random.normal(size=(50, 4)).astype("float32"), np.zeros((50, 1), "float32")
network = tf.keras.Sequential([tf.keras.layers.Dense(3), tf.keras.layers.Dense(1)])
network.compile("sgd", "mse")
network.fit(x, y, batch_size=16, epochs=3, verbose=0)
for size in (50, 49, 33, 17, 16, 15, 3, 2, 1):
    network.predict(x[:size], batch_size=16, verbose=0)


class Recurrence:
    """Its state begins anew in each call, and what it leaves is only looked at."""

    def __init__(self):
        self.state = tf.zeros([2])
        self.calls = 0

    @tf.function
    def run(self, x):
        self.state = tf.zeros([2])
        for _ in range(3):
            self.state = tf.tanh(self.state + x)
        return self.state


recurrence = Recurrence()
for _ in range(4):
    recurrence.run(tf.ones([2]))
print("done")
