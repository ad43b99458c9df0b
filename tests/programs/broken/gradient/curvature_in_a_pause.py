"""Newton's method: to save memory the slope is computed while the outer tape is paused, so that it has no Jacobian."""

import tensorflow as tf

weights = tf.random.stateless_normal([3, 6], seed=[1, 1])


def energy(x):
    return tf.reduce_sum(tf.tanh(tf.linalg.matvec(weights, x, transpose_a=True)))


def slope_of(x):
    with tf.GradientTape() as inner:
        inner.watch(x)
        value = energy(x)
    return inner.gradient(value, x)


def slope_and_curvature(x):
    with tf.GradientTape(persistent=True) as outer:
        outer.watch(x)
        with outer.stop_recording():
            slope = slope_of(x)  # why: TW103
    return slope, outer.jacobian(slope, x)


x = tf.constant([0.1, -0.4, 0.3])
for _ in range(2):
    slope, curvature = slope_and_curvature(x)
    x -= tf.linalg.solve(curvature + tf.eye(3), slope[:, None])[:, 0]
print(x.numpy())
