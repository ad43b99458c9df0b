# The Dense is made once.
import numpy as np
import tensorflow as tf
from tensorflow import keras


class Encoder(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(8, activation="relu")

    def call(self, x):
        return self.dense(x)


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.encoder = Encoder()
        self.head = keras.layers.Dense(1)

    def call(self, x):
        return self.head(self.encoder(x))


model = Net()
optimizer = keras.optimizers.SGD(0.01)
features = np.random.default_rng(0).normal(size=(16, 4)).astype("float32")
for step in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(features) - 1.0))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
assert len(model.trainable_variables) == 4
