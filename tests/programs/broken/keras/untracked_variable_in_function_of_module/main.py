# A temperature of another module is used in `call`, and trained by nothing.
import numpy as np
import scaling
import tensorflow as tf
from tensorflow import keras


class Classifier(keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden = keras.layers.Dense(8, activation="relu")
        self.head = keras.layers.Dense(3)

    def call(self, x):
        return scaling.scaled(self.head(self.hidden(x)))


def main():
    model = Classifier()
    model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(32, 4)).astype("float32"), rng.integers(0, 3, size=32)
    model.fit(x, y, epochs=2, verbose=0)
    print(tf.reduce_sum(model(x)).shape)


main()
