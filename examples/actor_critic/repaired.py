"""An actor-critic on a small corridor: the update computes the log-probabilities of the stored actions again."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(6)


class Corridor:
    """Walk right to the goal; every step costs a little."""

    length = 6

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def reset(self):
        self.position = int(self.rng.integers(0, 3))
        return self.observe()

    def observe(self):
        return np.eye(self.length, dtype="float32")[self.position]

    def step(self, action):
        self.position = int(np.clip(self.position + (1 if action == 1 else -1), 0, self.length - 1))
        done = self.position == self.length - 1
        return self.observe(), (1.0 if done else -0.05), done


class Agent(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden = tf.keras.layers.Dense(16, activation="tanh")
        self.policy = tf.keras.layers.Dense(2, name="policy")
        self.value = tf.keras.layers.Dense(1, name="value")
        self.value.build((None, 16))

    def call(self, states):
        return tf.nn.log_softmax(self.policy(self.hidden(states)))

    def judge(self, states):
        return self.value(tf.stop_gradient(self.hidden(states)))[:, 0]


class Rollout:
    """What an episode leaves behind."""

    def __init__(self):
        self.states, self.actions, self.rewards, self.log_probs = [], [], [], []

    def add(self, state, action, reward, log_prob):
        self.states.append(state)
        self.actions.append(action)
        self.rewards.append(reward)
        self.log_probs.append(log_prob)

    def returns(self, gamma):
        total, out = 0.0, []
        for reward in reversed(self.rewards):
            total = reward + gamma * total
            out.append(total)
        return tf.constant(out[::-1], tf.float32)


def act(agent, state, rng):
    log_probs = agent(state[np.newaxis])[0]
    p = np.exp(log_probs.numpy().astype("float64"))
    action = int(rng.choice(2, p=p / p.sum()))
    return action, log_probs[action]


def play(agent, environment, rng, limit=12):
    rollout, state, done = Rollout(), environment.reset(), False
    while not done and len(rollout.rewards) < limit:
        action, log_prob = act(agent, state, rng)
        following, reward, done = environment.step(action)
        rollout.add(state, action, reward, log_prob)
        state = following
    return rollout


def policy_log_probs(agent, rollout):
    log_probs = agent(tf.constant(np.array(rollout.states)))
    return tf.gather(log_probs, rollout.actions, batch_dims=1)


def update(agent, rollout, gamma=0.95, rate=0.05):
    states = tf.constant(np.array(rollout.states))
    returns = rollout.returns(gamma)
    actor_variables = agent.hidden.trainable_variables + agent.policy.trainable_variables
    with tf.GradientTape(persistent=True) as tape:
        values = agent.judge(states)
        advantage = tf.stop_gradient(returns - values)
        actor_loss = -tf.reduce_mean(policy_log_probs(agent, rollout) * advantage)
        critic_loss = tf.reduce_mean((returns - values) ** 2)
    critic_variables = agent.value.trainable_variables
    pairs = list(zip(tape.gradient(critic_loss, critic_variables), critic_variables))
    pairs += zip(tape.gradient(actor_loss, actor_variables), actor_variables)
    for gradient, variable in pairs:
        variable.assign_sub(rate * gradient)
    return float(critic_loss)


def main():
    rng = np.random.default_rng(7)
    agent, environment = Agent(), Corridor(seed=8)
    for episode in range(6):
        rollout = play(agent, environment, rng)
        loss = update(agent, rollout)
        print(f"episode {episode}: {len(rollout.rewards)} steps, critic loss {loss:.3f}")


if __name__ == "__main__":
    main()
