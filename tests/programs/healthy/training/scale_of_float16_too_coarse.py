# Scales that are kept in float32: a small rate changes them a little.
import tensorflow as tf


class Scales:
    def __init__(self, count, dtype):
        self.values = tf.Variable(tf.ones([count], dtype), name="scales")

    def __call__(self, x):
        return x * tf.cast(self.values, x.dtype)


def fit(scales, optimizer, x, y, steps):
    @tf.function
    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(scales(x) - y))
        slope = tape.gradient(loss, scales.values)
        optimizer.apply_gradients([(slope, scales.values)])
        return loss

    return [float(step()) for _ in range(steps)]


x = tf.random.stateless_normal([32, 4], seed=[1, 2])
scales = Scales(4, tf.float32)
losses = fit(scales, tf.keras.optimizers.SGD(1e-5), x, 2.0 * x, 12)
print(losses[0], losses[-1])
