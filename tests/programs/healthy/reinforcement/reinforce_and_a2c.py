"""REINFORCE with a learned baseline under stop_gradient, and an actor-critic rolled out in a graph."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(34)
rng = np.random.default_rng(34)
policy = tf.keras.Sequential([tf.keras.layers.Dense(8, "relu"), tf.keras.layers.Dense(3)])
baseline = tf.keras.layers.Dense(1)
opt = tf.keras.optimizers.Adam(0.01)
states = tf.constant(rng.normal(size=(20, 4)).astype("float32"))
policy(states), baseline(states)
for _ in range(3):
    actions = tf.random.categorical(policy(states), 1)[:, 0]
    rewards = tf.cast(tf.equal(actions, 1), tf.float32)
    with tf.GradientTape() as tape:
        logits, value = policy(states), baseline(states)[:, 0]
        log_probability = -tf.nn.sparse_softmax_cross_entropy_with_logits(labels=actions, logits=logits)
        advantage = tf.stop_gradient(rewards - value)
        entropy = -tf.reduce_sum(tf.nn.softmax(logits) * tf.nn.log_softmax(logits), axis=1)
        loss = -tf.reduce_mean(log_probability * advantage + 0.01 * entropy) + tf.reduce_mean((rewards - value) ** 2)
    weights = policy.trainable_variables + baseline.trainable_variables
    opt.apply_gradients(zip(tape.gradient(loss, weights), weights))


class ActorCritic(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.common = tf.keras.layers.Dense(8, activation="relu")
        self.actor, self.critic = tf.keras.layers.Dense(2), tf.keras.layers.Dense(1)

    def call(self, inputs):
        x = self.common(inputs)
        return self.actor(x), self.critic(x)


def env_step(action):
    return rng.normal(size=4).astype(np.float32), np.array(1 if action else 0, np.int32), np.array(False, np.int32)


def tf_env_step(action):
    return tf.numpy_function(env_step, [action], [tf.float32, tf.int32, tf.int32])


model = ActorCritic()
optimizer = tf.keras.optimizers.Adam(0.01)
huber = tf.keras.losses.Huber(reduction="sum")
model(tf.zeros((1, 4)))


def run_episode(initial, steps):
    probs, values, rewards = (
        tf.TensorArray(dtype, size=0, dynamic_size=True) for dtype in (tf.float32, tf.float32, tf.int32)
    )
    state = initial
    for t in tf.range(steps):
        state = tf.expand_dims(state, 0)
        logits, value = model(state)
        action = tf.random.categorical(logits, 1)[0, 0]
        values = values.write(t, tf.squeeze(value))
        probs = probs.write(t, tf.nn.softmax(logits)[0, action])
        state, reward, done = tf_env_step(action)
        state.set_shape([4])
        rewards = rewards.write(t, reward)
        if tf.cast(done, tf.bool):
            break
    return probs.stack(), values.stack(), rewards.stack()


def expected_return(rewards, gamma):
    n = tf.shape(rewards)[0]
    returns = tf.TensorArray(tf.float32, size=n)
    rewards = tf.cast(rewards[::-1], tf.float32)
    discounted = tf.constant(0.0)
    shape = discounted.shape
    for i in tf.range(n):
        discounted = rewards[i] + gamma * discounted
        discounted.set_shape(shape)
        returns = returns.write(i, discounted)
    returns = returns.stack()[::-1]
    return (returns - tf.math.reduce_mean(returns)) / (tf.math.reduce_std(returns) + 1e-6)


@tf.function
def train_step(initial, steps):
    with tf.GradientTape() as tape:
        probs, values, rewards = run_episode(initial, steps)
        returns = expected_return(rewards, 0.99)
        probs, values, returns = (tf.expand_dims(x, 1) for x in (probs, values, returns))
        advantage = returns - values
        loss = -tf.math.reduce_sum(tf.math.log(probs) * advantage) + huber(values, returns)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return tf.math.reduce_sum(rewards)


for _ in range(2):
    total = train_step(tf.zeros(4), tf.constant(6))
print(0 <= int(total) <= 6)
