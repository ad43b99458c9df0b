"""Hard triplets are mined by argmax and argmin of distances, used as indices only; the loss is on the gathered rows."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(163)
rng = np.random.default_rng(163)
x = rng.normal(size=(24, 5)).astype("float32")
labels = np.repeat([0, 1, 2], 8)
net = tf.keras.Sequential([tf.keras.layers.Dense(10, activation="relu"), tf.keras.layers.Dense(3)])
optimizer = tf.keras.optimizers.Adam(0.01)
same = tf.constant(labels[:, None] == labels[None, :])

for step in range(4):
    with tf.GradientTape() as tape:
        z = tf.math.l2_normalize(net(x), axis=1)
        distances = tf.reduce_sum((z[:, None] - z[None]) ** 2, axis=-1)
        farthest = tf.argmax(tf.where(same, distances, -1.0), axis=1)
        nearest = tf.argmin(tf.where(same, 10.0, distances), axis=1)
        positive = tf.reduce_sum((z - tf.gather(z, farthest)) ** 2, axis=1)
        negative = tf.reduce_sum((z - tf.gather(z, nearest)) ** 2, axis=1)
        loss = tf.reduce_mean(tf.nn.relu(positive - negative + 0.3))
    optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
    print(step, round(float(loss), 4))
