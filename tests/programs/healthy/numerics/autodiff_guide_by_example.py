"""What the guide to automatic differentiation shows and handles: zeros for the unconnected, control flow, jacobians."""

import numpy as np
import tensorflow as tf

x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = x**2
print(tape.gradient(y, x).numpy())

w, b = tf.Variable(tf.ones((3, 2)), name="w"), tf.Variable(tf.zeros(2), name="b")
data = [[1.0, 2.0, 3.0]]
with tf.GradientTape(persistent=True) as tape:
    loss = tf.reduce_mean((data @ w + b) ** 2)
print({k: v.shape for k, v in tape.gradient(loss, {"w": w, "b": b}).items()})

x0, x1 = tf.constant(0.0), tf.constant(10.0)
with tf.GradientTape(watch_accessed_variables=False) as tape:
    tape.watch([x0, x1])
    ys = tf.reduce_sum(tf.math.sin(x0) + tf.nn.softplus(x1))
print([g is not None for g in tape.gradient(ys, [x0, x1])])

v0, v1 = tf.Variable(2.0), tf.Variable(2.0)
for flag in (True, False):
    with tf.GradientTape(persistent=True) as tape:
        result = v0 if flag else v1**2
    grads = tape.gradient(result, [v0, v1], unconnected_gradients=tf.UnconnectedGradients.ZERO)
    print([g.numpy() for g in grads])

frozen = tf.Variable(1.0, trainable=False)
with tf.GradientTape() as tape:
    y = v0**2 * frozen
print([var.name.split(":")[0] for var in tape.watched_variables()], tape.gradient(y, v0).numpy())

x = tf.constant(1.0)
with tf.GradientTape() as t2:
    t2.watch(x)
    with tf.GradientTape() as t1:
        t1.watch(x)
        y = x**3
    dy = t1.gradient(y, x)
print(dy.numpy(), t2.gradient(dy, x).numpy())

layer = tf.keras.layers.Dense(3, activation=tf.nn.relu)
inputs = tf.constant(np.random.default_rng(0).normal(size=(4, 5)).astype("float32"))
layer(inputs)
with tf.GradientTape(persistent=True) as tape:
    tape.watch(inputs)
    out = layer(inputs)
print(tape.jacobian(out, layer.kernel).shape, tape.batch_jacobian(out, inputs).shape)

with tf.GradientTape() as t:
    xs = tf.Variable([2.0, 3.0])
    z = xs * 2
    with t.stop_recording():
        norm = tf.reduce_sum(z)
    out = z * z
print(t.gradient(out, xs).numpy(), norm.numpy())


@tf.custom_gradient
def clip_gradients(y):
    def backward(dy):
        return tf.clip_by_norm(dy, 0.5)

    return y, backward


v = tf.Variable(2.0)
with tf.GradientTape() as t:
    output = clip_gradients(v * v)
print(t.gradient(output, v).numpy())
