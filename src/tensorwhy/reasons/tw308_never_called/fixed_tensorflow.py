# The model returns what the heat map needs.
import tensorflow as tf
from tensorflow import keras


class Classifier(keras.Model):
    def __init__(self):
        super().__init__()
        self.features = keras.layers.Conv1D(4, 3, activation="relu")
        self.pool = keras.layers.GlobalAveragePooling1D()
        self.head = keras.layers.Dense(2)

    def call(self, inputs):
        features = self.features(inputs)
        return features, self.head(self.pool(features))


classifier = Classifier()
features, scores = classifier(tf.random.normal((1, 8, 3)))
assert features.shape == (1, 6, 4)
assert scores.shape == (1, 2)
