# The layer makes its Dense inside `call`: new weights at every step.
import numpy as np
import tensorflow as tf
from tensorflow import keras


class Encoder(keras.layers.Layer):
    def call(self, x):
        return keras.layers.Dense(8, activation="relu")(x)  # why: TW603


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
