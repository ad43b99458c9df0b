"""A consistency loss compares the prediction of the first view with itself: all gradients are exactly zero.

Compared with the second view, they are not.
"""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(92)
rng = np.random.default_rng(92)
unlabelled = rng.normal(size=(48, 5)).astype("float32")

student = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(3)])
optimizer = tf.keras.optimizers.Adam(0.01)


def augment(batch):
    return batch + 0.2 * rng.normal(size=batch.shape).astype("float32")


def consistency(batch):
    weak, strong = augment(batch), augment(augment(batch))
    p_weak = tf.nn.softmax(student(weak))
    p_strong = tf.nn.softmax(student(strong))
    return tf.reduce_mean(tf.square(p_weak - p_weak)), p_strong  # why: TW206


for step in range(6):
    with tf.GradientTape() as tape:
        loss, p_strong = consistency(unlabelled)
    gradients = tape.gradient(loss, student.trainable_variables)
    optimizer.apply_gradients(zip(gradients, student.trainable_variables))
    print(step, float(loss), float(tf.linalg.global_norm(gradients)), p_strong.shape)
