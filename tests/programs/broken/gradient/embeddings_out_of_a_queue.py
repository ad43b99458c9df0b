"""The embeddings go into a queue, and the loss is computed from what comes out: nothing of it leads to the encoder."""

import tensorflow as tf

tf.keras.utils.set_random_seed(16)
encoder = tf.keras.layers.Dense(4, activation="tanh")
encoder.build((None, 6))
optimizer = tf.keras.optimizers.SGD(0.05)


class Memory:
    """The latest batches of embeddings, the oldest first."""

    def __init__(self, batches, rows, width):
        self.queue = tf.queue.FIFOQueue(batches, [tf.float32], shapes=[(rows, width)])

    def exchange(self, embeddings):
        self.queue.enqueue(embeddings)  # why: TW113
        return self.queue.dequeue()


memory = Memory(2, 8, 4)
for _ in range(2):
    with tf.GradientTape() as tape:
        normal = tf.math.l2_normalize(memory.exchange(encoder(tf.random.normal((8, 6)))), axis=1)
        loss = tf.reduce_mean(tf.matmul(normal, normal, transpose_b=True))
    slopes = tape.gradient(loss, encoder.trainable_variables)
    optimizer.apply_gradients(zip(slopes, encoder.trainable_variables))
