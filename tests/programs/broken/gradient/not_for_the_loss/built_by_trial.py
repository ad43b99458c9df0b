"""The critic's weights are made by a trial call; the step calls the actor alone."""

import tensorflow as tf

tf.keras.utils.set_random_seed(2)


class Agent(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.actor = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(2)])
        self.critic = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(1)])

    def call(self, x):
        return self.actor(x), self.critic(x)


agent = Agent()
agent(tf.zeros((1, 4)))  # why: TW115
optimizer = tf.keras.optimizers.Adam(0.01)


@tf.function
def step(x, wanted):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(agent.actor(x) - wanted))
    grads = tape.gradient(loss, agent.trainable_variables)
    optimizer.apply_gradients([(g, v) for g, v in zip(grads, agent.trainable_variables) if g is not None])
    return loss


for _ in range(3):
    step(tf.random.normal((8, 4)), tf.zeros((8, 2)))
print("done")
