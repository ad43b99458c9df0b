import numpy as np
import tensorflow as tf
from tensorflow.keras import layers


@tf.custom_gradient
def flip_gradient(x):
    def backward(upstream):
        return -0.3 * upstream

    return tf.identity(x), backward


class DomainAdversarial:
    def __init__(self, features, classes):
        self.features = features
        self.classes = classes

    def extractor(self, inputs):
        x = layers.Dense(32, activation="relu")(inputs)
        return layers.Dense(16, activation="relu")(x)

    def domain_head(self, features):
        x = flip_gradient(features)  # why: TW302
        x = layers.Dense(16, activation="relu")(x)
        return layers.Dense(1, activation="sigmoid", name="domain")(x)

    def label_head(self, features):
        return layers.Dense(self.classes, activation="softmax", name="label")(features)

    def build(self):
        inputs = tf.keras.Input((self.features,))
        features = self.extractor(inputs)
        return tf.keras.Model(inputs, [self.label_head(features), self.domain_head(features)])


model = DomainAdversarial(8, 3).build()
model.compile("adam", ["sparse_categorical_crossentropy", "binary_crossentropy"])
x = np.random.default_rng(0).normal(size=(32, 8)).astype("float32")
model.fit(x, [np.zeros(32), np.ones(32)], epochs=1, verbose=0)
