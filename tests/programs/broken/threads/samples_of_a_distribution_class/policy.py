import tensorflow as tf


class GaussianPolicy(tf.keras.Model):
    def __init__(self, size):
        super().__init__()
        self.body = tf.keras.layers.Dense(8, activation="tanh")
        self.mean = tf.keras.layers.Dense(size)
        self.log_std = tf.keras.layers.Dense(size)

    def call(self, states):
        h = self.body(states)
        return self.mean(h), self.log_std(h)

    def sample(self, states):
        mean, log_std = self(states)
        noise = tf.random.normal(tf.shape(mean))
        return tf.stop_gradient(mean + tf.exp(log_std) * noise)  # why: TW104
