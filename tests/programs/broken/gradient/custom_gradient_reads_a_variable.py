"""Gradient reversal with a learned strength: the function reads a variable, and its backward function knows of none."""
import tensorflow as tf


class GradientReversal(tf.keras.layers.Layer):
    def build(self, shape):
        self.strength = self.add_weight(name="strength", shape=(), initializer="ones")

    def call(self, x):
        @tf.custom_gradient
        def reverse(x):
            def backward(upstream):  # why: TW119
                return -upstream * self.strength

            return x * self.strength, backward

        return reverse(x)


inputs = tf.keras.Input((4,))
features = tf.keras.layers.Dense(8, activation="relu")(inputs)
domain = tf.keras.layers.Dense(1)(GradientReversal()(features))
model = tf.keras.Model(inputs, domain)
model.compile("sgd", "mse")
model.fit(tf.random.normal((16, 4)), tf.random.normal((16, 1)), verbose=0)
