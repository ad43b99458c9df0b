"""Each gradient is multiplied by a mask at its position, and the model that is trained has one variable more."""
import tensorflow as tf


class Scaled(tf.keras.layers.Layer):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def build(self, shape):
        self.scale = self.add_weight(name="scale", shape=(shape[-1],), initializer="ones")

    def call(self, x):
        return self.inner(x * self.scale)


def pruned(gradients, masks):
    kept = []
    for gradient, mask in zip(gradients, masks):
        kept.append(gradient * mask)  # why: TW701
    return kept


x = tf.ones((4, 5))
plain = tf.keras.Sequential([tf.keras.layers.Dense(3), tf.keras.layers.Dense(2)])
plain(x)
masks = [tf.cast(tf.abs(each) > 0.1, tf.float32) for each in plain.trainable_variables]
model = tf.keras.Sequential([Scaled(plain.layers[0]), plain.layers[1]])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.square(model(x)))
gradients = pruned(tape.gradient(loss, model.trainable_variables), masks)
for gradient, variable in zip(gradients, model.trainable_variables):
    variable.assign_sub(0.01 * gradient)
