# requires: tf_keras
"""The call of a layer is traced by itself, and the loss that it adds is read outside of that trace."""

import tensorflow as tf
import tf_keras as keras


class Penalty(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(2)

    @tf.function
    def call(self, x):
        y = self.dense(x)
        size = tf.reduce_mean(tf.square(y))
        self.add_loss(0.1 * size)  # why: TW403
        return y


model = keras.Sequential([Penalty(), keras.layers.Dense(1)])
x = tf.random.stateless_normal((4, 3), (1, 2))
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(tf.square(model(x) - 1.0)) + tf.add_n(model.losses)
print(tape.gradient(loss, model.trainable_variables))
