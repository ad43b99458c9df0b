"""Models that are compiled several times on purpose: one for each fold, and in stages with other rates."""
import numpy as np
import tensorflow as tf


def build():
    return tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(4, "tanh"), tf.keras.layers.Dense(1)])


def train(model, x, y, optimizer, epochs=1):
    model.compile(optimizer, "mse")
    return model.fit(x, y, batch_size=8, epochs=epochs, verbose=0).history["loss"][-1]


x = np.random.default_rng(0).normal(size=(24, 3)).astype("float32")
folds = [train(build(), x, x[:, :1], tf.keras.optimizers.Adam(0.01)) for _ in range(4)]
staged = build()
stages = [train(staged, x, x[:, :1], tf.keras.optimizers.Adam(rate), epochs=3) for rate in (0.01, 0.001, 0.0001)]
plain = build()
steps = [train(plain, x, x[:, :1], tf.keras.optimizers.SGD(rate)) for rate in (0.1, 0.05, 0.01, 0.001)]
kept, adam = build(), tf.keras.optimizers.Adam(0.01)
kept.compile(adam, "mse")
again = [kept.fit(x, x[:, :1], verbose=0).history["loss"][0] for _ in range(4)]
print(len(folds), len(stages), len(steps), len(again))
labels = (x[:, 0] > 0).astype("float32")
count = tf.keras.metrics.Accuracy()
for row in range(3):
    count.update_state(labels, np.round(labels))
print(float(count.result()))
