"""Predictions are written into a NumPy array one sequence at a time: the array forgets the network, gradients are None.

A list and `tf.concat` keep them.
"""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(42)
tf.keras.utils.set_random_seed(42)
series = [rng.normal(size=(1, n, 2)).astype("float32") for n in (3, 5, 4)]
final = np.array([[s.sum()] for s in series], dtype="float32")

gru = tf.keras.layers.GRU(4)
dense = tf.keras.layers.Dense(1)
optimizer = tf.keras.optimizers.Adam(0.01)


def predict_all(sequences):
    predictions = np.zeros((len(sequences), 1), dtype="float32")
    for i, sequence in enumerate(sequences):
        predictions[i] = dense(gru(sequence))  # why: TW110
    return tf.constant(predictions)


dense(gru(series[0]))
variables = gru.trainable_variables + dense.trainable_variables
for step in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(predict_all(series) - final))
    grads = tape.gradient(loss, variables)
    grads, norm = tf.clip_by_global_norm(grads, 1.0)
    optimizer.apply_gradients(zip(grads, variables))
    print(step, float(loss), float(norm))
