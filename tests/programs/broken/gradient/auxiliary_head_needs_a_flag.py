"""A model runs its auxiliary classifier only when `training` is true, and the loop calls it without the flag.

The auxiliary layer's gradients are None and the update raises; called with `training=True` it has gradients.
"""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(55)
rng = np.random.default_rng(55)
features = rng.normal(size=(60, 5)).astype("float32")
labels = rng.integers(0, 4, size=60)


class DeeplySupervised(tf.keras.Model):
    def __init__(self, classes):
        super().__init__()
        self.stem = tf.keras.layers.Dense(12, activation="relu")
        self.trunk = tf.keras.layers.Dense(12, activation="relu")
        self.head = tf.keras.layers.Dense(classes)
        self.auxiliary = tf.keras.layers.Dense(classes)
        self.auxiliary.build((None, 12))

    def call(self, inputs, training=False):
        early = self.stem(inputs)
        main = self.head(self.trunk(early))
        if training:  # why: TW114
            return main, self.auxiliary(early)
        return main, None


model = DeeplySupervised(4)
cross_entropy = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


def objective(main, side, target):
    loss = cross_entropy(target, main)
    if side is not None:
        loss += 0.3 * cross_entropy(target, side)
    return loss


for epoch in range(2):
    with tf.GradientTape() as tape:
        main, side = model(features)
        loss = objective(main, side, labels)
    gradients = tape.gradient(loss, model.trainable_variables)
    for variable, gradient in zip(model.trainable_variables, gradients):
        variable.assign_sub(0.1 * gradient)
    print(epoch, round(float(loss), 4))
