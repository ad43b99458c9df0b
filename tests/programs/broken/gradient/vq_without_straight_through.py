"""A small VQ-VAE forgets the straight-through trick: the encoder's variables get no gradient, and Keras warns.

The decoder sees the encoder only through the number of the nearest code, an index; with
`z + tf.stop_gradient(nearest - z)` the encoder trains.
"""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(18)
rng = np.random.default_rng(18)


class VectorQuantiser(tf.keras.layers.Layer):
    def __init__(self, codes, width):
        super().__init__()
        self.codebook = self.add_weight(name="codebook", shape=(codes, width), initializer="random_uniform")

    def call(self, z):
        distances = (
            tf.reduce_sum(z**2, axis=1, keepdims=True)
            - 2 * tf.matmul(z, self.codebook, transpose_b=True)
            + tf.reduce_sum(self.codebook**2, axis=1)
        )
        nearest = tf.gather(self.codebook, tf.argmin(distances, axis=1))  # why: TW108
        codebook_loss = tf.reduce_mean((nearest - tf.stop_gradient(z)) ** 2)
        return nearest, codebook_loss


encoder = tf.keras.layers.Dense(3, name="to_code")
quantiser = VectorQuantiser(5, 3)
decoder = tf.keras.layers.Dense(6, name="from_code")
optimizer = tf.keras.optimizers.Adam(1e-2)
data = tf.constant(rng.normal(size=(32, 6)), tf.float32)

for step in range(4):
    with tf.GradientTape() as tape:
        quantised, codebook_loss = quantiser(encoder(data))
        reconstruction = tf.reduce_mean((decoder(quantised) - data) ** 2)
        loss = reconstruction + codebook_loss
    variables = encoder.trainable_variables + quantiser.trainable_variables + decoder.trainable_variables
    grads = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(grads, variables))
    print(step, round(float(loss), 4), [g is None for g in grads])
