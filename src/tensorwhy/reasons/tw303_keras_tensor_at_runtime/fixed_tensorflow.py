# A layer sees the activations of each batch, and adds the penalty to the loss.
import numpy as np
import tensorflow as tf
from tensorflow import keras


class ActivityPenalty(keras.layers.Layer):
    def call(self, x):
        self.add_loss(0.01 * tf.reduce_mean(tf.abs(x)))
        return x


inputs = keras.Input((4,))
hidden = ActivityPenalty()(keras.layers.Dense(8, activation="relu")(inputs))
outputs = keras.layers.Dense(1)(hidden)
model = keras.Model(inputs, outputs)
model.compile(optimizer="sgd", loss="mse")
model.fit(np.ones((8, 4), "float32"), np.ones((8, 1), "float32"), verbose=0)
assert len(model.losses) == 1
