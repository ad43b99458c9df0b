"""Two transcripts have no way through their frames: their loss is infinite, and their gradients are zero."""

import tensorflow as tf

tf.keras.utils.set_random_seed(2)
weights = tf.Variable(tf.random.normal((3, 6)))
frames = tf.random.normal((4, 5, 3))
transcripts = tf.sparse.from_dense([[1, 2, 3, 4], [1, 1, 2, 2], [4, 3, 2, 1], [3, 3, 4, 4]])
optimizer = tf.keras.optimizers.SGD(0.1)


def errors():
    scores = tf.transpose(frames @ weights, [1, 0, 2])
    return tf.compat.v1.nn.ctc_loss(transcripts, scores, tf.fill([4], 5))  # why: TW611


for _ in range(6):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(errors())
    optimizer.apply_gradients([(tape.gradient(loss, weights), weights)])
