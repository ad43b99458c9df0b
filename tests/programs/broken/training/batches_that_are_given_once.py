"""A helper trains with a generator that goes through the recordings once, for several epochs."""
import numpy as np
import tensorflow as tf

generator = np.random.default_rng(5)


class Recordings:
    def __init__(self):
        self.samples = generator.normal(size=(24, 4)).astype("float32")
        self.labels = self.samples.sum(1, keepdims=True)

    def batches(self, size):
        for start in range(0, len(self.samples), size):
            yield self.samples[start : start + size], self.labels[start : start + size]


def trained(model, data, epochs):
    model.compile("sgd", "mse")
    model.fit(data, epochs=epochs, verbose=0)  # why: TW804
    return model


print(trained(tf.keras.Sequential([tf.keras.layers.Dense(1)]), Recordings().batches(8), 4).count_params())
