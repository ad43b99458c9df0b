"""The best weights are kept in a clone of the model, which is only evaluated; and a checkpoint is restored."""

import tempfile

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(165)
rng = np.random.default_rng(165)
x = rng.normal(size=(50, 4)).astype("float32")
y = np.cos(x[:, :1])
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(8, activation="tanh"), keras.layers.Dense(1)])
best = keras.models.clone_model(model)
optimizer = keras.optimizers.SGD(0.1)
lowest = float("inf")


def validation(net):
    return float(tf.reduce_mean((net(x[40:]) - y[40:]) ** 2))


for _epoch in range(5):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x[:40]) - y[:40]) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    if validation(model) < lowest:
        lowest = validation(model)
        best.set_weights(model.get_weights())
with tempfile.TemporaryDirectory() as folder:
    path = tf.train.Checkpoint(kernel=tf.Variable(best.get_weights()[0])).write(folder + "/best")
    restored = tf.Variable(tf.zeros_like(best.get_weights()[0]))
    tf.train.Checkpoint(kernel=restored).read(path)
print(round(validation(best), 5) == round(lowest, 5), bool(np.allclose(restored.numpy(), best.get_weights()[0])))
