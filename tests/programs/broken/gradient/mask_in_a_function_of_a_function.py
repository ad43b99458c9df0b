# An eager tape around a traced model, whose traced helper compares.
import tensorflow as tf


class Encoder(tf.Module):
    def __init__(self):
        self.kernel = tf.Variable(tf.ones([3, 2]))
        self.bias = tf.Variable(tf.zeros([2]))

    @tf.function
    def __call__(self, x):
        return self.fired(x @ self.kernel + self.bias)

    @tf.function
    def fired(self, hidden):
        return tf.cast(hidden > 0.0, tf.float32) * 2.0  # why: TW106


encoder = Encoder()
head = tf.Variable(tf.ones([2, 1]))
optimizer = tf.keras.optimizers.SGD(0.1)
variables = [encoder.kernel, encoder.bias, head]
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(encoder(tf.ones([4, 3])) @ head - 1.0))
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients([(g, v) for g, v in zip(gradients, variables) if g is not None])
print(float(loss))
