import numpy as np
import tensorflow as tf


def create(shape, actions):
    inputs = tf.keras.layers.Input(shape)
    hidden = tf.keras.layers.Dense(32, activation="relu")(inputs)
    actor = tf.keras.layers.Dense(actions)(hidden)
    critic = tf.keras.layers.Dense(1)(hidden)
    return tf.keras.Model(inputs, [actor, critic])


class A2C:
    def __init__(self, model, gamma=0.99, entropy=0.01, value=0.5):
        self.model = model
        self.gamma = gamma
        self.entropy_weight = entropy
        self.value_weight = value
        self.optimizer = tf.keras.optimizers.Adam(7e-4, epsilon=1e-5)

    def returns(self, rewards, dones, last):
        result = []
        for reward, done in zip(reversed(rewards), reversed(dones)):
            last = reward + self.gamma * last * (1 - done)
            result.insert(0, last)
        return np.concatenate(result).astype("float32")

    @tf.function
    def train(self, states, actions, returns, old_values):
        with tf.GradientTape() as tape:
            logits, values = self.model(states, training=True)
            values = tf.squeeze(values, axis=1)  # why: TW115
            log_probs = -tf.nn.sparse_softmax_cross_entropy_with_logits(actions, logits)
            entropy = -tf.reduce_mean(tf.reduce_sum(tf.nn.softmax(logits) * tf.nn.log_softmax(logits), axis=1))
            advantage = returns - old_values
            actor_loss = -tf.reduce_mean(log_probs * advantage)
            critic_loss = tf.reduce_mean(tf.square(returns - old_values))
            loss = actor_loss - self.entropy_weight * entropy + self.value_weight * critic_loss
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        return loss


rng = np.random.default_rng(0)
agent = A2C(create((4,), 2))
for update in range(2):
    states = rng.normal(size=(3, 5, 4)).astype("float32")
    rewards, dones = rng.normal(size=(3, 5)), rng.integers(0, 2, (3, 5))
    values = agent.model(states.reshape(15, 4))[1].numpy()[:, 0]
    returns = agent.returns(rewards, dones, np.zeros(5))
    print(float(agent.train(states.reshape(15, 4), rng.integers(0, 2, 15), returns, values)))
