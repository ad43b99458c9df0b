"""A second experiment in the same script reuses the name `encoder`: the step still runs the first model's encoder.

`encoder.trainable_variables` are those of a network that takes no part, so their gradients are None and Keras warns.
With another name for the second encoder the first one has gradients.
"""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(71)
rng = np.random.default_rng(71)
data = rng.normal(size=(40, 6)).astype("float32")


def make_encoder(width):
    return tf.keras.Sequential([tf.keras.layers.Dense(width, activation="relu"), tf.keras.layers.Dense(2)])


# --- first experiment
encoder = make_encoder(8)
decoder = tf.keras.layers.Dense(6)


class AutoEncoder(tf.keras.Model):
    def __init__(self, encoder, decoder):
        super().__init__()
        self.encode, self.decode = encoder, decoder

    def call(self, inputs):
        return self.decode(self.encode(inputs))


autoencoder = AutoEncoder(encoder, decoder)
autoencoder(data)

# --- second experiment: is a wider code better?
encoder = make_encoder(16)  # why: TW118
probe = tf.keras.layers.Dense(1)
print("probe", probe(encoder(data)).shape)

# --- training
optimizer = tf.keras.optimizers.Adam(0.01)
for epoch in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(autoencoder(data) - data))
    variables = encoder.trainable_variables + decoder.trainable_variables
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(gradients, variables))
    print(epoch, round(float(loss), 4), sum(g is None for g in gradients))
