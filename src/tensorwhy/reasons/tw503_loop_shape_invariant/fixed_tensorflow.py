"""Roll a small dynamics model forward and keep every state on the way."""

import tensorflow as tf

dynamics = tf.constant([[0.9, 0.1], [-0.1, 0.9]])


def extend(path):
    """The path with one more state at its end."""
    following = tf.linalg.matvec(dynamics, path[-1])
    return tf.concat([path, following[tf.newaxis]], axis=0)


@tf.function
def rollout(start, steps):
    path = start[tf.newaxis]
    for _ in tf.range(steps):
        tf.autograph.experimental.set_loop_options(shape_invariants=[(path, tf.TensorShape([None, 2]))])
        path = extend(path)
    return path


states = rollout(tf.constant([1.0, 0.0]), tf.constant(5))
print(states.shape)
assert states.shape == (6, 2)
