"""A segmentation loss counts pixels above 0.5: the comparison has no gradient, so all gradients are None.

The loop skips None gradients one by one, so the program ends well and the model never changes; with a steep sigmoid
in place of the comparison it learns.
"""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(28)
tf.keras.utils.set_random_seed(28)
images = tf.constant(rng.uniform(size=(8, 6, 6, 1)), tf.float32)
wanted_area = tf.constant(rng.uniform(5, 20, size=8), tf.float32)

net = tf.keras.Sequential(
    [tf.keras.layers.Conv2D(3, 3, padding="same", activation="relu"), tf.keras.layers.Conv2D(1, 1)]
)


def area(logits):
    inside = logits > 0.0  # why: TW106
    return tf.reduce_sum(tf.cast(inside, tf.float32), axis=[1, 2, 3])


net(images)
first = net.get_weights()
for step in range(6):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.abs(area(net(images)) - wanted_area))
    grads = tape.gradient(loss, net.trainable_variables)
    for variable, gradient in zip(net.trainable_variables, grads):
        if gradient is not None:
            variable.assign_sub(0.01 * gradient)
    print(step, round(float(loss), 4))
changed = any(np.any(a != b) for a, b in zip(first, net.get_weights()))
print("weights changed:", changed)
