"""A noisy layer computes its weights when the model is made: they stay as they were then, and nothing is learned."""

import tensorflow as tf

tf.random.set_seed(2)


class NoisyDense(tf.keras.layers.Layer):
    def __init__(self, units, sigma=0.5):
        super().__init__()
        self.units, self.sigma_0 = units, sigma

    def build(self, shape):
        size = (int(shape[-1]), self.units)
        self.mu = self.add_weight(name="mu", shape=size, initializer="glorot_uniform")
        self.sigma = self.add_weight(
            name="sigma", shape=size, initializer=tf.keras.initializers.Constant(self.sigma_0)
        )
        self.noisy = tf.identity(self.mu) + tf.identity(self.sigma) * tf.random.normal(size)  # why: TW102
        self.built = True

    def call(self, x):
        return tf.matmul(x, self.noisy)


class QNetwork(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden = tf.keras.layers.Dense(16, activation="relu")
        self.value = NoisyDense(3)
        self.value.build((None, 16))

    def call(self, states):
        return self.value(self.hidden(states))


network = QNetwork()
optimizer = tf.keras.optimizers.Adam(0.01)
states, targets = tf.random.normal([64, 4]), tf.random.normal([64, 3])
for step in range(10):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(network(states) - targets))
    weights = network.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
print(float(loss))
