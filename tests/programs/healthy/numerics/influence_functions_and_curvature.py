"""Second order at work: Hessian-vector products, conjugate gradients, influence of a training row, Gauss-Newton."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(44)
rng = np.random.default_rng(44)
x = tf.constant(rng.normal(size=(20, 3)).astype("float32"))
y = tf.constant((rng.normal(size=(20, 1)) > 0).astype("float32"))
model = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="tanh"), tf.keras.layers.Dense(1)])
model(x)
params = model.trainable_variables


def loss_of(batch, labels):
    losses = tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=model(batch))
    return tf.reduce_mean(losses) + 0.01 * tf.add_n([tf.nn.l2_loss(p) for p in params])


@tf.function
def hvp(vectors):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            loss = loss_of(x, y)
        grads = inner.gradient(loss, params)
    return outer.gradient(grads, params, output_gradients=vectors)


def reverse_over_reverse(vectors):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            loss = loss_of(x, y)
        grads = inner.gradient(loss, params)
        dot = tf.add_n([tf.reduce_sum(g * tf.stop_gradient(v)) for g, v in zip(grads, vectors)])
    return outer.gradient(dot, params)


def dot(a, b):
    return float(tf.add_n([tf.reduce_sum(p * q) for p, q in zip(a, b)]))


def solve(b, steps=5, damping=0.1):
    x = [tf.zeros_like(v) for v in b]
    r, p = list(b), list(b)
    for _ in range(steps):
        hp = [h + damping * q for h, q in zip(hvp(p), p)]
        alpha = dot(r, r) / max(dot(p, hp), 1e-12)
        x = [a + alpha * q for a, q in zip(x, p)]
        new = [a - alpha * h for a, h in zip(r, hp)]
        beta = dot(new, new) / max(dot(r, r), 1e-12)
        p, r = [n + beta * q for n, q in zip(new, p)], new
    return x


with tf.GradientTape() as tape:
    test_loss = loss_of(x[:1], y[:1])
test_grad = tape.gradient(test_loss, params)
direction = solve(test_grad)
influences = []
for i in range(3):
    with tf.GradientTape() as tape:
        row = loss_of(x[i : i + 1], y[i : i + 1])
    influences.append(-dot(tape.gradient(row, params), direction))
print(len(influences), np.isfinite(influences).all())
same = all(np.allclose(a, b, atol=1e-5) for a, b in zip(hvp(test_grad), reverse_over_reverse(test_grad)))
print(same)
with tf.GradientTape() as tape:
    outputs = model(x)
jacobians = tape.jacobian(outputs, params)
flat = tf.concat([tf.reshape(j, (20, -1)) for j in jacobians], axis=1)
print((tf.transpose(flat) @ flat).shape)
