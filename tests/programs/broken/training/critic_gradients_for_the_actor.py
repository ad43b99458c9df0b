# Two networks are trained in one step, and a helper gets their gradients in the wrong order.
import tensorflow as tf

layers = tf.keras.layers


def network(inputs, hidden, outputs):
    return tf.keras.Sequential(
        [layers.InputLayer((inputs,)), layers.Dense(hidden, activation="tanh"), layers.Dense(outputs)]
    )


class Learner:
    def __init__(self):
        self.actor, self.critic = network(3, 8, 2), network(5, 6, 1)
        self.actor_optimizer, self.critic_optimizer = tf.keras.optimizers.Adam(), tf.keras.optimizers.Adam()

    @tf.function
    def learn(self, states, actions, returns):
        with tf.GradientTape() as of_actor, tf.GradientTape() as of_critic:
            values = self.critic(tf.concat([states, actions], axis=1))
            critic_loss = tf.reduce_mean(tf.square(returns - values))
            chosen = self.actor(states)
            actor_loss = -tf.reduce_mean(self.critic(tf.concat([states, chosen], axis=1)))
        actor_gradients = of_actor.gradient(actor_loss, self.actor.trainable_variables)
        critic_gradients = of_critic.gradient(critic_loss, self.critic.trainable_variables)
        self.update(critic_gradients, actor_gradients)
        return actor_loss, critic_loss

    def update(self, of_actor, of_critic):
        self.actor_optimizer.apply_gradients(zip(of_actor, self.actor.trainable_variables))  # why: TW121
        self.critic_optimizer.apply_gradients(zip(of_critic, self.critic.trainable_variables))


learner = Learner()
states = tf.random.stateless_normal([4, 3], seed=[0, 1])
actions = tf.random.stateless_normal([4, 2], seed=[0, 2])
learner.learn(states, actions, tf.ones([4, 1]))
