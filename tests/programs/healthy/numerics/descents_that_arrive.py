"""Descents that arrive where gradients are zero: Newton, a hinge classifier, projected and proximal descents, an attack."""

import numpy as np
import tensorflow as tf

tf.random.set_seed(0)
rng = np.random.default_rng(0)

x = tf.Variable([3.0, -2.0])
for i in range(6):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            f = tf.reduce_sum((x - tf.constant([1.0, 2.0])) ** 2)
        g = inner.gradient(f, x)
    h = outer.jacobian(g, x)
    x.assign_sub(tf.linalg.solve(h, g[:, None])[:, 0])
    if tf.norm(g) == 0:
        print("newton at", i, x.numpy())
        break

w = tf.Variable(tf.zeros((2, 1)))
b = tf.Variable(0.0)
points = tf.constant(np.concatenate([rng.normal(-3, 0.2, (10, 2)), rng.normal(3, 0.2, (10, 2))]).astype("float32"))
labels = tf.constant([[-1.0]] * 10 + [[1.0]] * 10)
for i in range(60):
    with tf.GradientTape() as tape:
        hinge = tf.reduce_mean(tf.maximum(0.0, 1.0 - labels * (points @ w + b)))
    gw, gb = tape.gradient(hinge, [w, b])
    if not np.any(gw.numpy()):
        break
    w.assign_sub(0.1 * gw)
    b.assign_sub(0.1 * gb)
print("hinge", float(hinge), i < 59)

simplex = tf.Variable([0.2, 0.3, 0.5])
for i in range(10):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(simplex * tf.constant([3.0, 1.0, 2.0]))
    step = simplex - 0.2 * tape.gradient(loss, simplex)
    u = tf.sort(step, direction="DESCENDING")
    css = tf.cumsum(u) - 1.0
    k = tf.reduce_sum(tf.cast(u - css / tf.range(1.0, 4.0) > 0, tf.int32))
    simplex.assign(tf.maximum(step - css[k - 1] / tf.cast(k, tf.float32), 0.0))
print("simplex", simplex.numpy().round(3))

A = tf.constant(rng.normal(size=(20, 6)).astype("float32"))
truth = tf.constant([1.0, 0, 0, -2.0, 0, 0])
y = tf.linalg.matvec(A, truth)
coef = tf.Variable(tf.zeros(6))
for i in range(80):
    with tf.GradientTape() as tape:
        loss = 0.5 * tf.reduce_mean((tf.linalg.matvec(A, coef) - y) ** 2)
    z = coef - 0.3 * tape.gradient(loss, coef)
    coef.assign(tf.sign(z) * tf.maximum(tf.abs(z) - 0.3 * 0.01, 0.0))
print("lasso", [int(i) for i in np.flatnonzero(np.abs(coef.numpy()) > 1e-2)])

centres = tf.Variable(tf.gather(points, [0, 1]))
for i in range(5):
    distances = tf.reduce_sum((points[:, None] - centres[None]) ** 2, -1)
    own = tf.argmin(distances, 1)
    for k in range(2):
        members = tf.boolean_mask(points, own == k)
        if len(members):
            centres[k].assign(tf.reduce_mean(members, 0))
print("kmeans", centres.numpy().round(1).tolist())

logit_w = tf.Variable([[40.0], [40.0]])
image = tf.Variable([[2.0, 2.0]])
for i in range(3):
    with tf.GradientTape() as tape:
        p = tf.sigmoid(image @ logit_w)
        loss = tf.reduce_mean(tf.square(p - 1.0))
    g = tape.gradient(loss, image)
    if tf.reduce_all(g == 0):
        with tf.GradientTape() as tape:
            margin = tf.reduce_sum(image @ logit_w)
        g = tape.gradient(margin, image)
    image.assign_sub(0.8 * tf.sign(g))
print("attack", image.numpy(), float(tf.sigmoid(image @ logit_w)[0, 0]))
assert x.numpy().tolist() == [1.0, 2.0]
