"""Self-supervised training in the SimSiam style where a helper in another file detaches the predictions.

Every gradient is None and the optimizer raises; with the `stop_gradient` on the projections instead (the second
argument) all of encoder and predictor get gradients.
"""

import numpy as np
import tensorflow as tf
from augment import two_views
from objectives import negative_cosine

tf.keras.utils.set_random_seed(17)
rng = np.random.default_rng(17)


def mlp(width, out, name):
    return tf.keras.Sequential([tf.keras.layers.Dense(width, activation="relu"), tf.keras.layers.Dense(out)], name=name)


encoder = mlp(16, 8, "encoder")
predictor = mlp(4, 8, "predictor")
optimizer = tf.keras.optimizers.SGD(0.05)
data = rng.normal(size=(48, 6)).astype("float32")


def train_step(batch):
    left, right = two_views(batch, rng)
    with tf.GradientTape() as tape:
        z1, z2 = encoder(left), encoder(right)
        p1, p2 = predictor(z1), predictor(z2)
        loss = negative_cosine(p1, z2) / 2 + negative_cosine(p2, z1) / 2
    variables = encoder.trainable_variables + predictor.trainable_variables
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(gradients, variables))
    return loss


for epoch in range(2):
    for start in range(0, 48, 16):
        loss = train_step(data[start : start + 16])
    print(epoch, round(float(loss), 4))
