"""A clipped activation with a slope of its own: its backward function gives no gradient for the slope."""
import tensorflow as tf


@tf.custom_gradient
def leaky(x, slope):
    def backward(upstream):
        return tf.where(x > 0, upstream, slope * upstream)  # why: TW119

    return tf.where(x > 0, x, slope * x), backward


class Leaky(tf.keras.layers.Layer):
    def build(self, shape):
        self.slope = self.add_weight(name="slope", shape=(), initializer="ones")

    def call(self, x):
        return leaky(x, tf.convert_to_tensor(self.slope))


model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(8), Leaky(), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(tf.random.normal((16, 4)), tf.random.normal((16, 1)), verbose=0)
