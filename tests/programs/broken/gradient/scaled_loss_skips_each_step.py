"""Mixed precision: a root at 0 makes each gradient NaN, and the loss scale leaves out one step after the other."""

# requires: keras3
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(0)
tf.keras.mixed_precision.set_global_policy("mixed_float16")
rng = np.random.default_rng(0)
inputs, wanted = rng.normal(size=(64, 5)).astype("float32"), np.zeros((64, 3), "float32")


class Smooth(tf.keras.layers.Layer):
    def call(self, values):
        change = values[:, 1:] - values[:, :-1]
        self.add_loss(tf.reduce_mean(tf.sqrt(tf.cast(change, tf.float32) ** 2)))  # why: TW211
        return values


model = tf.keras.Sequential(
    [
        tf.keras.Input((5,)),
        tf.keras.layers.Dense(3, kernel_initializer=tf.keras.initializers.Constant(0.1)),
        Smooth(),
        tf.keras.layers.Activation("linear", dtype="float32"),
    ]
)
model.compile("adam", "mse")
print(model.fit(inputs, wanted, epochs=6, batch_size=16, verbose=0).history["loss"])
