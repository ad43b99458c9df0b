"""The stiffness matrix of a spring chain is asked as a second derivative, but the energy is linear in `x`: None.

The first derivative is the constant load, which does not depend on the position. With the quadratic spring term in
the energy the second derivative exists.
"""

import numpy as np
import tensorflow as tf

rest = tf.constant([0.0, 1.0, 2.0, 3.0])
load = tf.constant([0.1, 0.0, -0.2, 0.4])
stiffness = tf.constant(5.0)
x = tf.Variable(rest + tf.constant([0.0, 0.1, -0.05, 0.2]), name="x")


def spring_energy(position):
    stretch = position[1:] - position[:-1] - 1.0
    return 0.5 * stiffness * tf.reduce_sum(stretch**2)


def energy(position):
    return tf.reduce_sum(load * position)


with tf.GradientTape(persistent=True) as outer:
    with tf.GradientTape() as inner:
        total = energy(x)  # why: TW107
    force = inner.gradient(total, x)
hessian = outer.jacobian(force, x)

print("energy", float(total), "spring part", round(float(spring_energy(x)), 4))
print("force", force.numpy())
print("symmetric:", np.allclose(hessian.numpy(), hessian.numpy().T))
