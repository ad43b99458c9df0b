# A list is looked into.
import numpy as np
import tensorflow as tf
from tensorflow import keras


class Ring(keras.Model):
    def __init__(self):
        super().__init__()
        self.stages = [keras.layers.Dense(4), keras.layers.Dense(4)]
        self.head = keras.layers.Dense(1)

    def call(self, x):
        for stage in self.stages:
            x = tf.nn.relu(stage(x))
        return self.head(x)


model = Ring()
optimizer = keras.optimizers.SGD(0.01)
features = np.random.default_rng(0).normal(size=(16, 4)).astype("float32")
for step in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(features) - 1.0))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
assert len(gradients) == 6 and all(gradient is not None for gradient in gradients)
