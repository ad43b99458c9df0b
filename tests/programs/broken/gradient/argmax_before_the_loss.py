"""A classifier compares predicted class numbers with labels: `tf.argmax` has no gradient, and the optimizer raises.

The cross-entropy of the logits trains the same model.
"""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(25)
rng = np.random.default_rng(25)
features = rng.normal(size=(90, 4)).astype("float32")
labels = rng.integers(0, 3, size=90)


class IrisLike(keras.Model):
    def __init__(self):
        super().__init__()
        self.first = keras.layers.Dense(10, activation="relu")
        self.second = keras.layers.Dense(3)

    def call(self, inputs, training=False):
        return self.second(self.first(inputs))


model = IrisLike()
optimizer = keras.optimizers.SGD(0.1)
train = tf.data.Dataset.from_tensor_slices((features, labels)).shuffle(90, seed=1).batch(30)


def compute_loss(batch, target):
    logits = model(batch, training=True)
    predicted = tf.argmax(logits, axis=1)  # why: TW106
    difference = tf.cast(predicted, tf.float32) - tf.cast(target, tf.float32)
    return tf.reduce_mean(tf.square(difference))


@tf.function
def train_step(batch, target):
    with tf.GradientTape() as tape:
        loss = compute_loss(batch, target)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for epoch in range(3):
    for batch, target in train:
        loss = train_step(batch, target)
    print(f"epoch {epoch} loss {float(loss):.3f}")
