"""Learned input noise: each feature has a noise level of its own, held up by an entropy term that the layer adds."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(17)


class FeatureNoise(keras.layers.Layer):
    """Adds a term to the loss that rewards noise, so that useless features can be told by their level."""

    def __init__(self, weight=0.01, **kwargs):
        super().__init__(**kwargs)
        self.weight = weight
        self.seeds = keras.random.SeedGenerator(1)

    def build(self, input_shape):
        width = input_shape[-1]
        self.prior = self.add_weight(shape=(width,), initializer="zeros", name="prior_logit")
        self.level = self.add_weight(shape=(width,), initializer=keras.initializers.Constant(-2.0), name="level")

    def call(self, inputs, training=False):
        distance = tf.square(self.level - self.prior) + tf.nn.softplus(self.prior)
        self.add_loss(self.weight * tf.reduce_sum(distance))
        if not training:
            return inputs
        noise = keras.random.normal(tf.shape(inputs), seed=self.seeds)
        return inputs + noise * tf.nn.softplus(self.level)


rng = np.random.default_rng(12)
x = rng.normal(size=(256, 6)).astype("float32")
y = (x[:, :2] @ np.array([[1.0], [-2.0]])).astype("float32")

inputs = keras.Input((6,))
h = FeatureNoise(name="noise")(inputs)
h = keras.layers.Dense(16, activation="relu")(h)
model = keras.Model(inputs, keras.layers.Dense(1)(h))
model.compile(optimizer=keras.optimizers.Adam(0.02), loss="mse")
history = model.fit(x, y, epochs=4, batch_size=32, verbose=0)
print("loss", history.history["loss"])
print("losses of the layer:", model.losses)
print("prior:", model.get_layer("noise").prior.numpy())
