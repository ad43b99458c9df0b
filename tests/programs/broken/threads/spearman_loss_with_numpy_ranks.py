import numpy as np
import tensorflow as tf


def rank(values):
    return np.argsort(np.argsort(values)).astype(np.float32)


def spearman_loss(targets, batch):
    def loss(y_true, y_pred):
        correlations = []
        for column in range(targets):
            truth = tf.squeeze(tf.slice(y_true, [0, column], [-1, 1]))
            guess = tf.squeeze(tf.slice(y_pred, [0, column], [-1, 1]))
            rank_truth = tf.numpy_function(rank, [truth], Tout=tf.float32)
            rank_guess = tf.numpy_function(rank, [guess], Tout=tf.float32)  # why: TW111
            distance = tf.reduce_sum((rank_truth - rank_guess) ** 2)
            correlations.append(1.0 - 6.0 * distance / (batch**3 - batch))
        return -tf.reduce_sum(correlations)

    return loss


x = np.random.default_rng(0).normal(size=(16, 5)).astype("float32")
y = np.stack([x.sum(axis=1), x[:, 0]], axis=1)
model = tf.keras.Sequential(
    [tf.keras.Input((5,)), tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(2)]
)
model.compile("adam", spearman_loss(targets=2, batch=8))
model.fit(x, y, batch_size=8, verbose=0)
