# A heat map of a subclassed model: its convolution is asked for the output that it never had.
import tensorflow as tf
from tensorflow import keras


class Classifier(keras.Model):
    def __init__(self):
        super().__init__()
        self.features = keras.layers.Conv1D(4, 3, activation="relu")
        self.pool = keras.layers.GlobalAveragePooling1D()
        self.head = keras.layers.Dense(2)

    def call(self, inputs):
        return self.head(self.pool(self.features(inputs)))


def extractor(model, layer):
    return layer.output  # why: TW308


classifier = Classifier()
classifier(tf.random.normal((1, 8, 3)))
heat = keras.Model(keras.Input((8, 3)), extractor(classifier, classifier.features))
