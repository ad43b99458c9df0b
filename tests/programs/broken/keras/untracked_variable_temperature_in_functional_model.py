# requires: keras3
# A learnable temperature is a bare variable that the functional model is multiplied with.
import numpy as np
import tensorflow as tf
from tensorflow import keras


class Contrastive:
    def __init__(self, width):
        self.width = width
        self.temperature = tf.Variable(0.07, name="temperature")  # why: TW601

    def scale(self, logits):
        return logits * tf.exp(self.temperature)

    def tower(self, x):
        x = keras.layers.Dense(16, activation="relu")(x)
        return keras.layers.UnitNormalization()(keras.layers.Dense(8)(x))

    def build(self):
        image, text = keras.Input((self.width,)), keras.Input((self.width,))
        logits = keras.layers.Dot(axes=1)([self.tower(image), self.tower(text)])
        return keras.Model([image, text], self.temperature * logits)


model = Contrastive(10).build()
model.compile("adam", "mse")
model.fit([np.zeros((4, 10)), np.zeros((4, 10))], np.zeros((4, 1)), verbose=0)
