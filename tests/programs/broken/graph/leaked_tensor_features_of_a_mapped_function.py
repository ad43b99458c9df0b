# requires: tf>=2.13
# Intermediate features are collected from within the mapped function.
import tensorflow as tf


class Extractor(tf.Module):
    def __init__(self, width):
        super().__init__()
        self.kernel = tf.Variable(tf.random.normal([width, width]))
        self.collected = []

    def one(self, row):
        hidden = tf.tanh(tf.linalg.matvec(self.kernel, row))
        self.collected.append(hidden)  # why: TW403
        return tf.reduce_sum(hidden)

    def __call__(self, rows):
        self.collected = []
        return tf.vectorized_map(self.one, rows)


def contrast(features, temperature=0.5):
    features = tf.math.l2_normalize(tf.stack(features), axis=-1)
    return tf.reduce_mean(tf.exp(tf.matmul(features, features, transpose_b=True) / temperature))


def loss_of(extractor, rows):
    energy = extractor(rows)
    return tf.reduce_mean(energy) + contrast(extractor.collected)


extractor = Extractor(4)
with tf.GradientTape() as tape:
    loss = loss_of(extractor, tf.random.normal([6, 4]))
print(tape.gradient(loss, extractor.kernel))
