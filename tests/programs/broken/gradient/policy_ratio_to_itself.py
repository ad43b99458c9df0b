"""The probabilities of the old policy are asked of the policy that learns, within the tape: the ratio is always one."""

import tensorflow as tf

tf.keras.utils.set_random_seed(31)


class Agent:
    def __init__(self):
        hidden = tf.keras.layers.Dense(16, activation="tanh")
        self.policy = tf.keras.Sequential([tf.keras.Input((4,)), hidden, tf.keras.layers.Dense(2, activation="softmax")])
        self.optimizer = tf.keras.optimizers.SGD(0.03)

    def probability(self, states, actions):
        return tf.gather(self.policy(states), actions, batch_dims=1)

    def update(self, states, actions, advantages):
        with tf.GradientTape() as tape:
            old = self.probability(states, actions)
            ratio = self.probability(states, actions) / old  # why: TW206
            limited = tf.clip_by_value(ratio, 0.8, 1.2)
            loss = -tf.reduce_mean(tf.minimum(ratio * advantages, limited * advantages))
        gradients = tape.gradient(loss, self.policy.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.policy.trainable_variables))


agent = Agent()
for _ in range(6):
    actions = tf.random.uniform((20,), 0, 2, tf.int32)
    agent.update(tf.random.normal((20, 4)), actions, tf.random.normal((20,)))
