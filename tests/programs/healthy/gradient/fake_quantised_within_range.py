"""A gain is trained behind a quantisation whose range holds its values."""

import tensorflow as tf

tf.keras.utils.set_random_seed(0)


class Gain(tf.Module):
    def __init__(self):
        super().__init__()
        self.factor = tf.Variable(40.0, name="factor")

    def __call__(self, signal):
        return tf.quantization.fake_quant_with_min_max_args(signal * self.factor, min=-128.0, max=128.0)


gain, signal = Gain(), tf.random.uniform((32, 3), 1.0, 2.0)
optimizer = tf.keras.optimizers.SGD(0.1)
for _ in range(6):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(gain(signal) - 0.5))
    optimizer.apply_gradients(zip(tape.gradient(loss, gain.trainable_variables), gain.trainable_variables))
print(float(loss))
