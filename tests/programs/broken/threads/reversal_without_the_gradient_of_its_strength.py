"""A reversal layer with a learned strength, in a compiled step: its backward function returns no gradient for the strength."""

import tensorflow as tf


class Reversal(tf.keras.layers.Layer):
    def build(self, shape):
        self.strength = self.add_weight(name="strength", shape=(), initializer="ones")

    def call(self, x):
        @tf.custom_gradient
        def reverse(x):
            def grad(upstream, variables=None):
                return -self.strength * upstream  # why: TW119

            return x * self.strength, grad

        return reverse(x)


features = tf.keras.layers.Dense(8, activation="relu")
domain = tf.keras.Sequential([Reversal(), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)


@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        logits = domain(features(x))
        loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(y, logits))
    weights = features.trainable_variables + domain.trainable_variables
    grads = tape.gradient(loss, weights)
    optimizer.apply_gradients(zip(grads, weights))
    return loss


for _ in range(2):
    print(step(tf.random.normal((4, 5)), tf.ones((4, 1))))
