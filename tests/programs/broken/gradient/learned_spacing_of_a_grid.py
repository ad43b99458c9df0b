"""A sampling grid from `tf.range(0, 1, spacing)`: `Range` has no gradient, so that of the spacing is None.

`spacing * tf.range(n)` has the same values and a gradient.
"""

import tensorflow as tf

spacing = tf.Variable(0.2, name="spacing")
phase = tf.Variable(0.1, name="phase")
optimizer = tf.keras.optimizers.Adam(0.01)
target = tf.constant([0.0, 0.4, 0.7, 0.9, 1.0])


def grid():
    return tf.range(0.0, 0.99, spacing)  # why: TW106


def curve():
    return tf.sin(1.6 * grid() + phase)


for step in range(5):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((curve() - target) ** 2)
    gradients = tape.gradient(loss, {"spacing": spacing, "phase": phase})
    print(step, {name: None if g is None else round(float(g), 4) for name, g in gradients.items()})
    pairs = [(gradients["spacing"], spacing), (gradients["phase"], phase)]
    optimizer.apply_gradients(pairs)
