"""Inside the tape the output of the encoder becomes the start value of a new `tf.Variable`: the encoder gets None.

A variable's start value is a copy; with the tensor used as it is the encoder has gradients.
"""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(52)
rng = np.random.default_rng(52)
data = rng.uniform(size=(32, 8)).astype("float32")

encoder = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="relu"), tf.keras.layers.Dense(2)])
decoder = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="relu"), tf.keras.layers.Dense(8)])
optimizer = tf.keras.optimizers.Adam(0.01)


def autoencode(batch):
    code = tf.Variable(encoder(batch))  # why: TW113
    return decoder(code)


for epoch in range(3):
    for start in range(0, len(data), 16):
        batch = data[start : start + 16]
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(autoencode(batch) - batch))
        weights = encoder.trainable_weights + decoder.trainable_weights
        gradients = tape.gradient(loss, weights)
        missing = [v.shape for g, v in zip(gradients, weights) if g is None]
        optimizer.apply_gradients(zip(gradients, weights))
    print(epoch, round(float(loss), 5), "missing", missing)
