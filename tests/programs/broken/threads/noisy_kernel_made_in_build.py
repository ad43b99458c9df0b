# requires: keras3
import numpy as np
import tensorflow as tf


class NoisyDense(tf.keras.layers.Layer):
    def __init__(self, units, std=0.5, activation=None):
        super().__init__()
        self.units = units
        self.std = std
        self.activation = tf.keras.activations.get(activation)

    def build(self, input_shape):
        size = int(input_shape[-1])
        bound = 1 / np.sqrt(size)
        uniform = tf.keras.initializers.RandomUniform(-bound, bound)
        spread = tf.keras.initializers.Constant(self.std * bound)
        self.mu = self.add_weight(name="mu", shape=(size, self.units), initializer=uniform)
        self.sigma = self.add_weight(name="sigma", shape=(size, self.units), initializer=spread)
        self.bias_mu = self.add_weight(name="bias_mu", shape=(self.units,), initializer="zeros")
        self.noise = np.random.normal(size=(size, self.units)).astype("float32")
        self.kernel = self.mu + self.sigma * self.noise  # why: TW402
        self.built = True

    def call(self, inputs):
        return self.activation(tf.matmul(inputs, self.kernel) + self.bias_mu)


class QNetwork(tf.keras.Model):
    def __init__(self, actions):
        super().__init__()
        self.hidden = tf.keras.layers.Dense(24, activation="relu")
        self.noisy = NoisyDense(actions)

    def call(self, states):
        return self.noisy(self.hidden(states))


class Agent:
    def __init__(self, actions=3, gamma=0.95, steps=3):
        self.network, self.target = QNetwork(actions), QNetwork(actions)
        self.optimizer = tf.keras.optimizers.Adam(1e-3)
        self.gamma = gamma**steps

    def act(self, state):
        return int(np.argmax(self.network(state[None])[0]))

    def replay(self, states, actions, rewards, successors):
        targets = rewards + self.gamma * tf.reduce_max(self.target(successors), axis=1)
        with tf.GradientTape() as tape:
            values = tf.gather(self.network(states), actions, batch_dims=1)
            loss = tf.reduce_mean(tf.square(targets - values))
        gradients = tape.gradient(loss, self.network.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.network.trainable_variables))
        return float(loss)


rng = np.random.default_rng(3)
agent = Agent()
memory = rng.normal(size=(64, 4)).astype("float32")
chosen = np.array([agent.act(state) for state in memory[:32]])
for step in range(3):
    print(step, agent.replay(memory[:32], chosen, rng.normal(size=32).astype("float32"), memory[32:]))
