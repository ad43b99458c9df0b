# An embedding of the module's globals is called by name from a subclassed model that is fitted.
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

embedding = layers.Embedding(30, 4)  # why: TW601


class Classifier(tf.keras.Model):
    def __init__(self, classes):
        super().__init__()
        self.lstm = layers.LSTM(4)
        self.head = layers.Dense(classes, activation="softmax")

    def call(self, tokens):
        x = embedding(tokens)
        return self.head(self.lstm(x))


def train(model):
    tokens = np.random.default_rng(0).integers(0, 30, (16, 5))
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(tokens, tokens[:, 0] % 3, epochs=2, verbose=0)


train(Classifier(3))
