# requires: tf>=2.12
# One traced step serves two models, each with an optimizer that makes its slots at first use.
import tensorflow as tf
from training import train_step


def make(units):
    model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(units, activation="relu"), tf.keras.layers.Dense(1)])
    return model, tf.keras.optimizers.Adam(1e-3)


x, y = tf.random.normal([16, 3]), tf.random.normal([16, 1])
losses = {}
for units in (4, 8):
    model, optimizer = make(units)
    for _ in range(2):
        losses[units] = float(train_step(model, optimizer, x, y))
print(losses)
