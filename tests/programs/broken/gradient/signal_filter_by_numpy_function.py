"""A smoothing step in the middle of a model runs in NumPy through `tf.numpy_function`: what is before it gets None.

With `tf.nn.conv1d` as the filter, both layers have gradients.
"""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(45)
tf.keras.utils.set_random_seed(45)
kernel = np.array([0.25, 0.5, 0.25], np.float32)


def smooth(rows):
    return np.stack([np.convolve(row, kernel, mode="same") for row in rows]).astype(np.float32)


class Denoiser(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.lift = tf.keras.layers.Dense(12)
        self.drop = tf.keras.layers.Dense(8)

    def call(self, noisy):
        wide = self.lift(noisy)
        wide = tf.numpy_function(smooth, [wide], tf.float32)  # why: TW111
        wide = tf.reshape(wide, [-1, 12])
        return self.drop(wide)


model = Denoiser()
optimizer = tf.keras.optimizers.Adam(0.01)
clean = tf.constant(np.sin(np.linspace(0, 6, 160)).reshape(20, 8), tf.float32)
noisy = clean + 0.1 * rng.normal(size=(20, 8)).astype("float32")


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


for epoch in range(3):
    print(epoch, round(float(train_step(noisy, clean)), 4))
