"""The linearisation of a dynamics model around a state is None, as nobody watched the state.

The variables of the model are watched by themselves, the state (a constant) is not; with `tape.watch(state)` the
Jacobian is a 3x3 matrix.
"""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(2)
dynamics = tf.keras.Sequential(
    [tf.keras.layers.Dense(8, activation="tanh", input_shape=(4,)), tf.keras.layers.Dense(3)]
)


def rollout(state, action):
    joined = tf.concat([state, action], axis=-1)
    return state + 0.1 * dynamics(joined[tf.newaxis])[0]


def linearise(state, action):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(action)
        following = rollout(state, action)
    a = tape.jacobian(following, state)
    b = tape.jacobian(following, action)
    return a, b


start = tf.constant([0.1, -0.2, 0.05])  # why: TW101
control = tf.constant([0.3])
a, b = linearise(start, control)
print("B", b.shape)
print("eigenvalues", np.round(np.linalg.eigvals(a.numpy()), 3))
