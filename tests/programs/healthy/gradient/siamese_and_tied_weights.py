"""One tower used twice, an embedding tied to the output projection, losses collected in a list of tensors."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(159)
rng = np.random.default_rng(159)
embedding = tf.keras.layers.Embedding(12, 6)
tower = tf.keras.layers.Dense(6, activation="tanh")
left, right = rng.integers(0, 12, size=(2, 16))
tower(embedding(left))
optimizer = tf.keras.optimizers.Adam(0.02)

for step in range(4):
    losses = []
    with tf.GradientTape() as tape:
        a, b = tower(embedding(left)), tower(embedding(right))
        losses.append(tf.reduce_mean(tf.maximum(0.0, 1.0 - tf.reduce_sum(a * b, axis=1))))
        logits = tf.matmul(a, embedding.trainable_variables[0], transpose_b=True)
        losses.append(tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=right, logits=logits)))
        loss = tf.add_n(losses)
    variables = embedding.trainable_variables + tower.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    print(step, [round(float(v), 3) for v in losses])
