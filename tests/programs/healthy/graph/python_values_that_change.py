"""Python values that change around traced functions without harm: counters, guards, arguments, retraced models."""

import numpy as np
import tensorflow as tf

traces = 0
scale = 1.0


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(1)
        self.first = True
        self.calls = 0
        self.verbose = True
        self.epoch = 0

    def call(self, inputs):
        if self.first:
            self.first = False
        self.calls += 1
        if self.verbose:
            print("tracing", self.calls > 0)
        return self.dense(inputs)


class Count(tf.keras.callbacks.Callback):
    def on_epoch_begin(self, epoch, logs=None):
        self.model.epoch = epoch
        self.model.verbose = False


@tf.function
def scaled(x, factor):
    global traces
    traces += 1
    return x * factor


model = Net()
model.compile("sgd", "mse")
x = np.ones((4, 2), "float32")
model.fit(x, x[:, :1], epochs=3, verbose=0, callbacks=[Count()])
for value in (1.0, 2.0, 3.0):
    scale = value
    print(float(scaled(tf.constant(2.0), tf.constant(scale))))
print(traces, model.epoch)
