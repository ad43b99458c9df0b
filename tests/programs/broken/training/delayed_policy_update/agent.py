import tensorflow as tf
from networks import actor_network, critic_network


class TD3:
    """Twin critics, and an actor that learns every second time."""

    def __init__(self, state_size, action_size, policy_delay, gamma=0.99, tau=0.05):
        self.actor, self.actor_target = actor_network(state_size, action_size), actor_network(state_size, action_size)
        self.critic, self.critic_target = (critic_network(state_size, action_size) for _ in range(2))
        self.actor_target.set_weights(self.actor.get_weights())
        self.critic_target.set_weights(self.critic.get_weights())
        self.actor_optimizer = tf.keras.optimizers.Adam(1e-3)
        self.critic_optimizer = tf.keras.optimizers.Adam(1e-3)
        self.policy_delay, self.gamma, self.tau = policy_delay, gamma, tau
        self.updates = 0

    def learn(self, states, actions, rewards, following):
        self.updates += 1
        return self._train(states, actions, rewards, following)

    @tf.function
    def _train(self, states, actions, rewards, following):
        next_actions = self.actor_target(following)
        target = rewards + self.gamma * self.critic_target([following, next_actions])
        with tf.GradientTape() as tape:
            error = tf.stop_gradient(target) - self.critic([states, actions])
            critic_loss = tf.reduce_mean(tf.square(error))
        variables = self.critic.trainable_variables
        self.critic_optimizer.apply_gradients(zip(tape.gradient(critic_loss, variables), variables))
        if self.updates % self.policy_delay == 0:  # why: TW122
            self._improve(states)
        self._soft_update()
        return critic_loss

    def _improve(self, states):
        with tf.GradientTape() as tape:
            loss = -tf.reduce_mean(self.critic([states, self.actor(states)]))
        variables = self.actor.trainable_variables
        self.actor_optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))

    def _soft_update(self):
        for slow, fast in ((self.actor_target, self.actor), (self.critic_target, self.critic)):
            for a, b in zip(slow.variables, fast.variables):
                a.assign(self.tau * b + (1.0 - self.tau) * a)
