"""Forward accumulators through layers and functions, nested for second derivatives, beside a reverse-mode check."""

import tensorflow as tf

tf.keras.utils.set_random_seed(46)
x = tf.constant([[2.0, 3.0], [1.0, 4.0]])
targets = tf.constant([[1.0], [-1.0]])
kernel = tf.Variable([[0.5], [-0.2]])
bias = tf.Variable([0.1])


@tf.function
def forward(inputs):
    return tf.tanh(inputs @ kernel + bias)


with tf.autodiff.ForwardAccumulator(primals=kernel, tangents=tf.constant([[1.0], [0.0]])) as acc:
    loss = tf.reduce_sum(tf.square(forward(x) - targets))
forward_value = acc.jvp(loss)
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.square(forward(x) - targets))
print(abs(float(forward_value) - float(tape.gradient(loss, kernel)[0, 0])) < 1e-5)

primal = tf.constant(1.1)
one = tf.constant(1.0)
with tf.autodiff.ForwardAccumulator(primal, one) as outer, tf.autodiff.ForwardAccumulator(primal, one) as inner:
    out = primal ** tf.constant(3.5)
print(round(float(inner.jvp(out)), 4), round(float(outer.jvp(inner.jvp(out))), 4))
unused = tf.constant(5.0)
with tf.autodiff.ForwardAccumulator(primal, tf.constant(1.0)) as acc:
    nothing = unused * 2.0
print(acc.jvp(nothing, unconnected_gradients=tf.UnconnectedGradients.ZERO).numpy())
