"""Python loops with lists: unrolled, and right; a layer that keeps its skip connections in an attribute."""

import tensorflow as tf

traces = []


@tf.function
def powers(x, count):
    traces.append("traced")
    found = []
    for exponent in range(count):
        found.append(x**exponent)
    return tf.stack(found)


class Ladder(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.down = [tf.keras.layers.Dense(4, activation="relu") for _ in range(2)]
        self.up = [tf.keras.layers.Dense(4, activation="relu") for _ in range(2)]
        self.readout = tf.keras.layers.Dense(1)

    def call(self, x):
        self.skips = []
        for layer in self.down:
            x = layer(x)
            self.skips.append(x)
        for layer, skip in zip(self.up, reversed(self.skips)):
            x = layer(tf.concat([x, skip], axis=-1))
        return self.readout(x)


print(powers(tf.constant(2.0), 4).numpy().tolist(), len(traces))
model = Ladder()
model.compile("sgd", "mse")
model.fit(tf.ones([8, 3]), tf.zeros([8, 1]), epochs=1, verbose=0)
print(len(model.skips))
