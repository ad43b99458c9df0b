"""The gradients of two models are zipped with the variables of one: `zip` stops early, the second is never trained.

Nothing fails. Zipped with the variables of both, both change.
"""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(78)
rng = np.random.default_rng(78)
left = rng.normal(size=(40, 3)).astype("float32")
right = left @ rng.normal(size=(3, 5)).astype("float32")

tower_a = tf.keras.Sequential([tf.keras.layers.Dense(6, activation="tanh"), tf.keras.layers.Dense(4)], name="tower_a")
tower_b = tf.keras.Sequential([tf.keras.layers.Dense(6, activation="tanh"), tf.keras.layers.Dense(4)], name="tower_b")
optimizer = tf.keras.optimizers.Adam(0.01)


def contrastive(a, b):
    logits = tf.matmul(tf.math.l2_normalize(a, 1), tf.math.l2_normalize(b, 1), transpose_b=True) / 0.2
    return tf.reduce_mean(
        tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.range(tf.shape(a)[0]), logits=logits)
    )


tower_a(left), tower_b(right)
start = tower_b.get_weights()[0]
for step in range(4):
    with tf.GradientTape() as tape:
        loss = contrastive(tower_a(left), tower_b(right))
    gradients = tape.gradient(loss, tower_a.trainable_variables + tower_b.trainable_variables)
    optimizer.apply_gradients(zip(gradients, tower_a.trainable_variables))  # why: TW121
    print(step, round(float(loss), 4))
print("second tower changed:", bool(np.any(start != tower_b.get_weights()[0])))
