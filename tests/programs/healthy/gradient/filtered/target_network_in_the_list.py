"""An agent's trainable variables hold those of its target network, which follows slowly."""

import tensorflow as tf

tf.keras.utils.set_random_seed(1)


class Agent(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.online = tf.keras.layers.Dense(2)
        self.target = tf.keras.layers.Dense(2)

    def call(self, states):
        return self.online(states), self.target(states)

    def follow(self, rate=0.1):
        for slow, fast in zip(self.target.trainable_variables, self.online.trainable_variables):
            slow.assign((1 - rate) * slow + rate * fast)


agent = Agent()
optimizer = tf.keras.optimizers.Adam(0.01)
states, rewards = tf.random.normal((16, 4)), tf.random.normal((16, 1))


@tf.function
def learn():
    with tf.GradientTape() as tape:
        values, slow = agent(states)
        wanted = tf.stop_gradient(rewards + 0.9 * tf.reduce_max(slow, 1, keepdims=True))
        loss = tf.reduce_mean(tf.square(wanted - values))
    found = tape.gradient(loss, agent.trainable_variables)
    optimizer.apply_gradients([(g, v) for g, v in zip(found, agent.trainable_variables) if g is not None])
    return loss


for _ in range(4):
    loss = learn()
    agent.follow()
print("done")
