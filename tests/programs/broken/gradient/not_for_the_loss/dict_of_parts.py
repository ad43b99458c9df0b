"""A dictionary of parts is asked for as a whole; one part only goes to a summary."""

import tensorflow as tf

tf.keras.utils.set_random_seed(2)
parts = {"scale": tf.Variable(1.0), "shift": tf.Variable(0.5), "temperature": tf.Variable(2.0)}


def forward(p, x):
    scaled = x / p["temperature"]
    print("mean", float(tf.reduce_mean(scaled)) > -10)  # why: TW115
    return p["scale"] * x + p["shift"]


x = tf.random.normal((5,))
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(forward(parts, x) ** 2)
grads = tape.gradient(loss, parts)
print({k: g is None for k, g in grads.items()})
