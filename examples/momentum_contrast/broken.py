"""Contrastive learning with a momentum encoder, where the queries are computed with the wrong encoder.

`key_encoder` is a copy of `query_encoder`: nothing that the loss sees depends on the latter's weights, and the
optimizer raises.
"""

import collections

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(17)
FEATURES, CODE = 10, 6


def build_encoder():
    return keras.Sequential(
        [
            keras.Input((FEATURES,)),
            keras.layers.Dense(24, activation="relu"),
            keras.layers.Dense(CODE),
        ]
    )


class TwoViews:
    """Pairs of disturbed copies of the same sample."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.centres = self.rng.normal(size=(5, FEATURES))

    def batch(self, size):
        samples = self.centres[self.rng.integers(0, 5, size=size)]
        first = samples + 0.2 * self.rng.normal(size=samples.shape)
        second = samples * self.rng.uniform(0.8, 1.2, size=samples.shape)
        return first.astype("float32"), second.astype("float32")


class MomentumContrast:
    def __init__(self, momentum=0.99, temperature=0.1, queue_length=3):
        self.query_encoder = build_encoder()
        self.key_encoder = keras.models.clone_model(self.query_encoder)
        self.key_encoder.set_weights(self.query_encoder.get_weights())
        self.momentum, self.temperature = momentum, temperature
        self.queue = collections.deque(maxlen=queue_length)
        self.optimizer = keras.optimizers.Adam(0.005)

    def codes(self, views):
        return tf.math.l2_normalize(self.key_encoder(views, training=True), axis=1)  # why: TW117

    def key_codes(self, views):
        return tf.stop_gradient(tf.math.l2_normalize(self.key_encoder(views, training=False), axis=1))

    def loss(self, queries, keys):
        positive = tf.reduce_sum(queries * keys, axis=1, keepdims=True)
        logits = [positive]
        if self.queue:
            logits.append(tf.matmul(queries, tf.concat(list(self.queue), axis=0), transpose_b=True))
        logits = tf.concat(logits, axis=1) / self.temperature
        labels = tf.zeros([tf.shape(queries)[0]], tf.int32)
        return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))

    def update_key_encoder(self):
        for slow, fast in zip(self.key_encoder.weights, self.query_encoder.weights):
            slow.assign(self.momentum * slow + (1.0 - self.momentum) * fast)

    def train_step(self, first, second):
        keys = self.key_codes(second)
        with tf.GradientTape() as tape:
            queries = self.codes(first)
            loss = self.loss(queries, keys)
        variables = self.query_encoder.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        self.update_key_encoder()
        self.queue.append(keys)
        return float(loss)


def main():
    views, learner = TwoViews(seed=18), MomentumContrast()
    learner.queue.append(learner.key_codes(views.batch(16)[1]))
    for step in range(5):
        print(f"step {step}: loss {learner.train_step(*views.batch(16)):.4f}")


if __name__ == "__main__":
    main()
