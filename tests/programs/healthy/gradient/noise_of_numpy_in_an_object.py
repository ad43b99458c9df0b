"""An object that keeps a mean and a deviation draws noise with NumPy, and hands only a picture of the mean to it."""

import numpy as np
import tensorflow as tf

tf.random.set_seed(0)
rng = np.random.default_rng(0)


class Cloud:
    def __init__(self, centre, width):
        self.centre, self.width = centre, width

    def throw(self):
        noise = rng.normal(size=self.centre.shape).astype("float32")
        return self.centre + self.width * noise

    def picture(self):
        return float(np.asarray(self.centre).mean())


body = tf.keras.layers.Dense(3)
body.build((None, 4))
optimizer = tf.keras.optimizers.Adam()
batch = tf.random.normal((8, 4))
for step in range(5):
    with tf.GradientTape() as tape:
        mean = body(batch)
        cloud = Cloud(mean, 0.1 * tf.ones_like(mean))
        loss = tf.reduce_mean(tf.square(cloud.throw() - 1.0))
    gradients = tape.gradient(loss, body.trainable_variables)
    optimizer.apply_gradients(zip(gradients, body.trainable_variables))
    print(step, round(cloud.picture(), 3))
