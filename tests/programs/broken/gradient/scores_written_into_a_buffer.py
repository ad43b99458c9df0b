"""Scores are written row by row into a variable, and the loss reads the variable: the network's gradients are None.

`tf.concat` of the rows (or a TensorArray) passes them on.
"""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(53)
rng = np.random.default_rng(53)
queries = tf.constant(rng.normal(size=(4, 3)), tf.float32)
documents = tf.constant(rng.normal(size=(5, 3)), tf.float32)
relevant = tf.constant([0, 2, 4, 1])

tower = tf.keras.layers.Dense(6, activation="tanh")
buffer = tf.Variable(tf.zeros([4, 5]), trainable=False, name="scores")
optimizer = tf.keras.optimizers.Adam(0.01)


def score_all():
    keys = tower(documents)
    rows = []
    for i in range(4):
        row = tf.linalg.matvec(keys, tower(queries[i : i + 1])[0])
        buffer[i].assign(row)  # why: TW113
        rows.append(row)
    return tf.convert_to_tensor(buffer)


for step in range(3):
    with tf.GradientTape() as tape:
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=relevant, logits=score_all())
        loss = tf.reduce_mean(losses)
    gradients = tape.gradient(loss, tower.trainable_variables)
    optimizer.apply_gradients(zip(gradients, tower.trainable_variables))
    print(step, round(float(loss), 4))
