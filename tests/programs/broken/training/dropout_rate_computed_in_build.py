"""A dropout rate that is learned: computed once, when the layer is built, and not in every call."""

import numpy as np
import tensorflow as tf
from tensorflow import keras


class ConcreteDropout(keras.layers.Wrapper):
    """Learns how much to drop."""

    def __init__(self, layer, weight=1e-3, start=0.2, **kwargs):
        super().__init__(layer, **kwargs)
        self.weight = weight
        self.start = float(np.log(start) - np.log(1.0 - start))

    def build(self, input_shape=None):
        if not self.layer.built:
            self.layer.build(input_shape)
        self.p_logit = self.add_weight(
            name="p_logit", shape=(1,), initializer=keras.initializers.Constant(self.start), trainable=True
        )
        self.p = tf.nn.sigmoid(tf.convert_to_tensor(self.p_logit))[0]  # why: TW102
        self.built = True

    def drop(self, x):
        eps, temperature = 1e-7, 0.1
        noise = tf.random.uniform(tf.shape(x))
        keep = (
            tf.math.log(self.p + eps)
            - tf.math.log(1.0 - self.p + eps)
            + tf.math.log(noise + eps)
            - tf.math.log(1.0 - noise + eps)
        )
        return x * (1.0 - tf.sigmoid(keep / temperature)) / (1.0 - self.p)

    def call(self, inputs, training=None):
        return self.layer(self.drop(inputs))


def build(inputs=5):
    x = start = keras.Input((inputs,))
    for units in (16, 16):
        x = ConcreteDropout(keras.layers.Dense(units, activation="relu"))(x)
    return keras.Model(start, keras.layers.Dense(1)(x))


x = np.random.RandomState(1).normal(size=(96, 5)).astype("float32")
y = x[:, :1] - x[:, 1:2] ** 2
tf.keras.utils.set_random_seed(0)
model = build()
model.compile(optimizer="adam", loss="mse")
model.fit(x, y, epochs=2, batch_size=16, verbose=0)
for layer in model.layers:
    if hasattr(layer, "p_logit"):
        print(layer.name, layer.p_logit.numpy())
