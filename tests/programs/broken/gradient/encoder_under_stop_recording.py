"""The encoder runs under `tape.stop_recording()` to save memory, so its variables get None and Keras warns.

Without the pause the same step gives them gradients.
"""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(14)
tf.keras.utils.set_random_seed(14)

encoder = tf.keras.Sequential([tf.keras.layers.Dense(6, activation="relu", input_shape=(5,))])
decoder = tf.keras.Sequential([tf.keras.layers.Dense(5, input_shape=(6,))])
optimizer = tf.keras.optimizers.Adam(1e-2)
samples = tf.constant(rng.normal(size=(40, 5)), tf.float32)
variables = encoder.trainable_variables + decoder.trainable_variables


def code_statistics(code):
    return {"mean": float(tf.reduce_mean(code)), "active": float(tf.reduce_mean(tf.cast(code > 0, tf.float32)))}


for step in range(4):
    with tf.GradientTape() as tape:
        with tape.stop_recording():
            code = encoder(samples)  # why: TW103
            statistics = code_statistics(code)
        loss = tf.reduce_mean(tf.square(decoder(code) - samples))
    grads = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(grads, variables))
    print(step, round(float(loss), 4), round(statistics["active"], 3))
print("without gradient:", sum(g is None for g in grads), "of", len(grads))
