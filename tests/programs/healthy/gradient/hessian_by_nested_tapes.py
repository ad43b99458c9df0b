"""Hessian of a small function by nested tapes with variables, and Newton steps with it."""

import tensorflow as tf

x = tf.Variable([-1.2, 1.0])


def rosenbrock(p):
    return (1.0 - p[0]) ** 2 + 100.0 * (p[1] - p[0] ** 2) ** 2


for step in range(6):
    with tf.GradientTape(persistent=True) as outer:
        with tf.GradientTape() as inner:
            value = rosenbrock(x)
        gradient = inner.gradient(value, x)
    hessian = outer.jacobian(gradient, x, experimental_use_pfor=False)
    x.assign_sub(tf.linalg.solve(hessian, gradient[:, None])[:, 0])
    print(step, round(float(value), 5))
print(x.numpy().round(3).tolist())
