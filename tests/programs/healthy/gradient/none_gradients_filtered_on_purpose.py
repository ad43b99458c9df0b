"""A multi-task step updates only the heads whose task is in the batch: the None of the others are filtered visibly."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(101)
rng = np.random.default_rng(101)

trunk = tf.keras.layers.Dense(8, activation="relu")
heads = {name: tf.keras.layers.Dense(1, name=name) for name in ("price", "rating", "clicks")}
optimizer = tf.keras.optimizers.SGD(0.05)


def batch_for(task):
    x = rng.normal(size=(16, 4)).astype("float32")
    scale = {"price": 1.0, "rating": -0.5, "clicks": 2.0}[task]
    return x, scale * x[:, :1]


for head in heads.values():
    head(trunk(np.zeros((1, 4), "float32")))
variables = trunk.trainable_variables + [v for head in heads.values() for v in head.trainable_variables]

for task in ["price", "clicks", "rating", "price", "clicks", "rating"]:
    x, y = batch_for(task)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(heads[task](trunk(x)) - y))
    gradients = tape.gradient(loss, variables)
    pairs = [(g, v) for g, v in zip(gradients, variables) if g is not None]
    for gradient, variable in pairs:
        variable.assign_sub(0.05 * gradient)
    print(task, round(float(loss), 4), len(pairs), "of", len(variables))
