"""BYOL in train_step: an online network with predictor, a target that follows by assign and is never differentiated."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(61)
x = np.random.default_rng(61).normal(size=(32, 8)).astype("float32")


def encoder():
    return keras.Sequential(
        [
            keras.Input((8,)),
            keras.layers.Dense(16),
            keras.layers.BatchNormalization(),
            keras.layers.ReLU(),
            keras.layers.Dense(4),
        ]
    )


class BYOL(keras.Model):
    def __init__(self, decay=0.95):
        super().__init__()
        self.online, self.target, self.decay = encoder(), encoder(), decay
        self.predictor = keras.Sequential([keras.Input((4,)), keras.layers.Dense(8, "relu"), keras.layers.Dense(4)])
        self.target.set_weights(self.online.get_weights())
        self.queue = tf.Variable(tf.random.normal((16, 4)), trainable=False)
        self.log = []

    def regression(self, p, z):
        return 2 - 2 * tf.reduce_mean(tf.reduce_sum(tf.math.l2_normalize(p, 1) * tf.math.l2_normalize(z, 1), axis=1))

    def train_step(self, batch):
        one, two = (batch + tf.random.normal(tf.shape(batch)) * 0.1 for _ in range(2))
        z1, z2 = self.target(one, training=True), self.target(two, training=True)
        with tf.GradientTape() as tape:
            p1 = self.predictor(self.online(one, training=True), training=True)
            p2 = self.predictor(self.online(two, training=True), training=True)
            negatives = tf.matmul(tf.math.l2_normalize(p1, 1), self.queue, transpose_b=True)
            loss = self.regression(p1, tf.stop_gradient(z2)) + self.regression(p2, tf.stop_gradient(z1))
            loss += 0.01 * tf.reduce_mean(tf.reduce_logsumexp(negatives, axis=1))
        weights = self.online.trainable_variables + self.predictor.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
        for slow, fast in zip(self.target.trainable_variables, self.online.trainable_variables):
            slow.assign(self.decay * slow + (1 - self.decay) * fast)
        self.queue.assign(tf.concat([z1, self.queue], axis=0)[:16])
        return {"loss": loss}


model = BYOL()
model.compile(optimizer=keras.optimizers.Adam(1e-3))
history = model.fit(tf.data.Dataset.from_tensor_slices(x).batch(16), epochs=2, verbose=0)
print(len(history.history["loss"]))
