"""A loss that adds up what a softmax gives: the same number for every portfolio."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers


class PortfolioLoss(tf.keras.losses.Loss):
    """Rewards money that is invested."""

    def __init__(self, fee=0.001):
        super().__init__(name="portfolio")
        self.fee = fee

    def call(self, returns, weights):
        invested = tf.reduce_sum(weights, axis=-1)  # why: TW206
        return -tf.math.log(invested + 2.0 - self.fee)


def build(assets, window):
    inputs = tf.keras.Input((window, assets))
    x = layers.LSTM(12)(inputs)
    x = layers.Dense(12, activation="relu")(x)
    weights = layers.Dense(assets, activation="softmax")(x)
    return tf.keras.Model(inputs, weights)


def windows(prices, length):
    moves = prices[1:] / prices[:-1] - 1.0
    x = np.stack([moves[i : i + length] for i in range(len(moves) - length)])
    y = moves[length:]
    return x.astype("float32"), y.astype("float32")


tf.keras.utils.set_random_seed(0)
rng = np.random.RandomState(0)
prices = np.exp(np.cumsum(rng.normal(scale=0.05, size=(160, 4)), axis=0))
x, y = windows(prices, 10)
model = build(4, 10)
model.compile(optimizer="adam", loss=PortfolioLoss())
history = model.fit(x, y, epochs=2, batch_size=25, verbose=0)
print(history.history["loss"])
