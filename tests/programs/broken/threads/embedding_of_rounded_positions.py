import numpy as np
import tensorflow as tf


class Localiser(tf.keras.Model):
    """Finds where to look in a map, and reads the map there."""

    def __init__(self):
        super().__init__()
        self.where = tf.keras.layers.Dense(2, activation="sigmoid", name="where")
        self.out = tf.keras.layers.Dense(1, name="out")

    def call(self, features):
        batch = tf.shape(features)[0]
        position = self.where(tf.reduce_mean(features, axis=(1, 2)))
        pixel = tf.cast(position * 7.0, tf.int32)  # why: TW105
        index = tf.concat([tf.range(batch)[:, None], pixel], axis=1)
        return self.out(tf.gather_nd(features, index))  # why: TW108


model = Localiser()
optimizer = tf.keras.optimizers.Adam(1e-3)
features = tf.random.normal([4, 8, 8, 3])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(tf.square(model(features) - 1.0))
gradients = tape.gradient(loss, model.trainable_variables)
for variable, gradient in zip(model.trainable_variables, gradients):
    print(variable.name, np.linalg.norm(gradient))
