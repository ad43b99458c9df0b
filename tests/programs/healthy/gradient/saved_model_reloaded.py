"""A tf.Module is exported, loaded again and differentiated through its restored function."""

import tempfile

import tensorflow as tf


class Polynomial(tf.Module):
    def __init__(self):
        super().__init__()
        self.coefficients = tf.Variable([1.0, -2.0, 0.5], name="coefficients")

    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def __call__(self, x):
        powers = tf.stack([tf.ones_like(x), x, x**2], axis=1)
        return tf.linalg.matvec(powers, self.coefficients)


module = Polynomial()
with tempfile.TemporaryDirectory() as folder:
    tf.saved_model.save(module, folder)
    loaded = tf.saved_model.load(folder)

x = tf.constant([0.0, 1.0, 2.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.reduce_sum(loaded(x) ** 2)
dx, dc = tape.gradient(y, [x, loaded.coefficients])
print(y.numpy(), dx.numpy().tolist(), dc.numpy().tolist())
