"""A texture is optimised towards the statistics of another picture, and begins as a plain tensor."""
import tensorflow as tf


class Statistics(tf.Module):
    def __init__(self, channels):
        self.kernel = tf.random.normal((3, 3, 3, channels), stddev=0.2)

    def __call__(self, picture):
        features = tf.nn.relu(tf.nn.conv2d(picture, self.kernel, strides=2, padding="SAME"))
        return tf.reduce_mean(features, axis=(1, 2)), tf.math.reduce_std(features, axis=(1, 2))


def start(shape):
    noise = tf.random.uniform(shape)
    return tf.clip_by_value(noise, 0.2, 0.8)


class Synthesis:
    def __init__(self, example, channels=6):
        self.statistics = Statistics(channels)
        self.wanted = self.statistics(example)
        self.texture = start(example.shape)  # why: TW101
        self.optimizer = tf.keras.optimizers.Adam(0.05)

    def loss(self):
        return tf.add_n([tf.reduce_sum((a - b) ** 2) for a, b in zip(self.statistics(self.texture), self.wanted)])

    def step(self):
        with tf.GradientTape() as tape:
            loss = self.loss()
        gradients = tape.gradient(loss, [self.texture])
        self.optimizer.apply_gradients(zip(gradients, [self.texture]))
        return loss


synthesis = Synthesis(tf.random.uniform((1, 16, 16, 3)))
for index in range(3):
    print(index, float(synthesis.step()))
