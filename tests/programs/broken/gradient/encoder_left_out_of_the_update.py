"""Only the decoder's variables are handed to `tape.gradient`: nothing fails, and the encoder is never trained.

With the encoder's variables added, both change.
"""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(63)
rng = np.random.default_rng(63)
data = rng.normal(size=(48, 9)).astype("float32")

encoder = tf.keras.Sequential([tf.keras.layers.Dense(6, activation="tanh"), tf.keras.layers.Dense(3)], name="encoder")
decoder = tf.keras.Sequential([tf.keras.layers.Dense(6, activation="tanh"), tf.keras.layers.Dense(9)], name="decoder")
optimizer = tf.keras.optimizers.Adam(0.01)
batches = tf.data.Dataset.from_tensor_slices(data).shuffle(48, seed=0).batch(12)
decoder(encoder(data))
before_encoder, before_decoder = encoder.get_weights(), decoder.get_weights()


def step(batch):
    with tf.GradientTape() as tape:
        reconstruction = decoder(encoder(batch, training=True), training=True)
        loss = tf.reduce_mean(tf.math.squared_difference(reconstruction, batch))
    variables = decoder.trainable_variables  # why: TW116
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return loss


for epoch in range(3):
    for batch in batches:
        loss = step(batch)
    print("epoch", epoch, round(float(loss), 4))
print("encoder changed:", any(np.any(a != b) for a, b in zip(before_encoder, encoder.get_weights())))
print("decoder changed:", any(np.any(a != b) for a, b in zip(before_decoder, decoder.get_weights())))
