# requires: tf_keras
"""The whole step is traced, with the call that adds a loss and the line that reads it."""

import tensorflow as tf
import tf_keras as keras


class Penalty(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(2)

    def call(self, x):
        y = self.dense(x)
        self.add_loss(0.1 * tf.reduce_mean(tf.square(y)))
        return y


model = keras.Sequential([Penalty(), keras.layers.Dense(1)])
x = tf.random.stateless_normal((4, 3), (1, 2))
model(x)


@tf.function
def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - 1.0)) + tf.add_n(model.losses)
    return tape.gradient(loss, model.trainable_variables)


print(step(x))
