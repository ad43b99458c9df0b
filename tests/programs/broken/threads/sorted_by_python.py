import numpy as np
import tensorflow as tf

ranker = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()


def top_scores(scores, k):
    values = sorted([float(s) for s in scores[:, 0]], reverse=True)  # why: TW110
    return tf.convert_to_tensor(values[:k], tf.float32)


with tf.GradientTape() as tape:
    scores = ranker(tf.random.normal([9, 4]))
    loss = tf.reduce_mean(tf.nn.relu(1.0 - top_scores(scores, 3)))
gradients = tape.gradient(loss, ranker.trainable_variables)
optimizer.apply_gradients(zip(gradients, ranker.trainable_variables))
