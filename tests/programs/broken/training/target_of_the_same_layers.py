# The target network is a second model of the same layers: it moves with the first, and copying the weights does nothing.
import numpy as np
import tensorflow as tf
from tensorflow import keras


def outputs(inputs):
    hidden = keras.layers.Dense(8, activation="tanh")(inputs)
    return keras.layers.Dense(2)(hidden)


def follow(target, network):
    weights = network.get_weights()
    target.set_weights(weights)  # why: TW605


state = keras.layers.Input((4,))
values = outputs(state)
online = keras.Model(state, values)
target = keras.Model(state, values)
optimizer = keras.optimizers.SGD(0.01)
data = tf.constant(np.random.default_rng(0).normal(size=(16, 4)).astype("float32"))
for step in range(6):
    if step % 3 == 0:
        follow(target, online)
    wanted = 1.0 + 0.9 * tf.reduce_max(target(data), axis=1, keepdims=True)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(wanted - online(data)))
    gradients = tape.gradient(loss, online.trainable_variables)
    optimizer.apply_gradients(zip(gradients, online.trainable_variables))
