"""The loss keeps the padding and drops the words: without padding in the batch the mask is zero everywhere.

Loss and gradients are exactly zero in all steps; with `!=` in place of `==` they are not.
"""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(87)
rng = np.random.default_rng(87)
vocabulary, length = 12, 5
source = rng.integers(1, vocabulary, size=(16, length))
target = (source * 5) % (vocabulary - 1) + 1

embedding = tf.keras.layers.Embedding(vocabulary, 6)
project = tf.keras.layers.Dense(vocabulary)
optimizer = tf.keras.optimizers.Adam(0.05)
project(embedding(source))


def masked_loss(labels, logits):
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    mask = tf.cast(labels == 0, tf.float32)  # why: TW204
    return tf.reduce_sum(losses * mask) / (tf.reduce_sum(mask) + 1e-9)


for epoch in range(5):
    with tf.GradientTape() as tape:
        loss = masked_loss(tf.constant(target), project(embedding(source)))
    variables = embedding.trainable_variables + project.trainable_variables
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(gradients, variables))
    size = tf.linalg.global_norm(gradients)
    print(epoch, float(loss), float(size))
