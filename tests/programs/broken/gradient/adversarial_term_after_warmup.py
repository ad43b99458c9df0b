"""The adversarial branch runs only when the reconstruction is good enough, and it never is: its layer gets None.

Keras warns in every step. With the branch always taken (a threshold above the loss) the layer has gradients.
"""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(54)
rng = np.random.default_rng(54)
threshold = 1e-3
data = tf.constant(rng.normal(size=(32, 6)), tf.float32)

autoencoder = tf.keras.Sequential([tf.keras.layers.Dense(3, activation="relu"), tf.keras.layers.Dense(6)])
prior_head = tf.keras.layers.Dense(1, name="prior_head")
prior_head.build((None, 6))
optimizer = tf.keras.optimizers.Adam(1e-3)


def total_loss(batch):
    rebuilt = autoencoder(batch)
    loss = tf.reduce_mean((rebuilt - batch) ** 2)
    if loss < threshold:  # why: TW114
        realism = prior_head(rebuilt)
        loss = loss + tf.reduce_mean(tf.nn.softplus(-realism))
    return loss


for step in range(4):
    with tf.GradientTape() as tape:
        loss = total_loss(data)
    weights = autoencoder.trainable_variables + prior_head.trainable_variables
    gradients = tape.gradient(loss, weights)
    optimizer.apply_gradients(zip(gradients, weights))
    print(step, round(float(loss), 4))
