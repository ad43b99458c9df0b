"""DQN: an environment in NumPy, epsilon-greedy play, replay, a frozen target network copied now and then."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(31)
rng = np.random.default_rng(31)


def create_q_model():
    return keras.Sequential([keras.Input((4,)), keras.layers.Dense(16, activation="relu"), keras.layers.Dense(2)])


class Chain:
    def reset(self):
        self.state = rng.normal(size=4).astype("float32")
        return self.state

    def step(self, action):
        self.state = (0.9 * self.state + (0.1 if action else -0.1)).astype("float32")
        return self.state, float(-abs(self.state.sum())), bool(rng.uniform() < 0.1)


model, model_target = create_q_model(), create_q_model()
model_target.set_weights(model.get_weights())
optimizer = keras.optimizers.Adam(learning_rate=0.00025, clipnorm=1.0)
loss_function = keras.losses.Huber()
history = {"action": [], "state": [], "next": [], "reward": [], "done": []}
env, updates = Chain(), 0
state = env.reset()
for frame in range(60):
    if frame < 20 or rng.uniform() < 0.2:
        action = int(rng.integers(2))
    else:
        action = int(tf.argmax(model(tf.expand_dims(tf.convert_to_tensor(state), 0), training=False)[0]).numpy())
    state_next, reward, done = env.step(action)
    for key, value in zip(history, (action, state, state_next, reward, done)):
        history[key].append(value)
    state = env.reset() if done else state_next
    if frame % 4 == 0 and len(history["done"]) > 16:
        picked = rng.choice(len(history["done"]), size=16)
        states, nexts = (np.array([history[key][i] for i in picked]) for key in ("state", "next"))
        rewards = np.array([history["reward"][i] for i in picked], "float32")
        finished = tf.constant([float(history["done"][i]) for i in picked])
        actions = [history["action"][i] for i in picked]
        future = model_target.predict(nexts, verbose=0)
        updated = rewards + 0.99 * tf.reduce_max(future, axis=1)
        updated = updated * (1 - finished) - finished
        masks = tf.one_hot(actions, 2)
        with tf.GradientTape() as tape:
            q_values = model(states)
            q_action = tf.reduce_sum(tf.multiply(q_values, masks), axis=1)
            loss = loss_function(updated, q_action)
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        updates += 1
    if frame % 20 == 0:
        model_target.set_weights(model.get_weights())
print(updates, bool(np.any(model.get_weights()[0] != model_target.get_weights()[0])))
