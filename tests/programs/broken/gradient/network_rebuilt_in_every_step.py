"""The forward function builds a new network each time it is called, and the gradient is asked for the first one: None.

Built once and passed in, the network gets gradients.
"""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(65)
rng = np.random.default_rng(65)


def build_network():
    return tf.keras.Sequential([tf.keras.layers.Dense(6, activation="relu"), tf.keras.layers.Dense(2)])


def forward(batch):
    network = build_network()  # why: TW117
    return network(batch)


points = rng.normal(size=(40, 2)).astype("float32")
classes = (points[:, 0] * points[:, 1] > 0).astype("int64")
network = build_network()
network(points)
optimizer = tf.keras.optimizers.Adam(0.02)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

for step in range(4):
    with tf.GradientTape() as tape:
        loss = loss_fn(classes, forward(points))
    gradients = tape.gradient(loss, network.trainable_variables)
    optimizer.apply_gradients(zip(gradients, network.trainable_variables))
    print(step, round(float(loss), 4))
