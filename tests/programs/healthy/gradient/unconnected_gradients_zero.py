"""`unconnected_gradients=tf.UnconnectedGradients.ZERO` asks for zeros where there is no connection."""

import tensorflow as tf

a = tf.Variable([1.0, 2.0])
b = tf.Variable([[3.0], [4.0]])
c = tf.Variable(5.0)


def energies(first, second):
    return tf.reduce_sum(first**3), tf.reduce_sum(second * 2.0)


with tf.GradientTape(persistent=True) as tape:
    tape.watch([a, b, c])
    e1, e2 = energies(a, b)

for name, target in (("e1", e1), ("e2", e2)):
    gradients = tape.gradient(target, [a, b, c], unconnected_gradients=tf.UnconnectedGradients.ZERO)
    print(name, [g.numpy().ravel().tolist() for g in gradients])
del tape
