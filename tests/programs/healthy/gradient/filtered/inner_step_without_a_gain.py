"""One inner step of meta-learning: parameters that a task does not use keep their value."""

import tensorflow as tf

w = [tf.Variable([[1.0], [2.0]], name="w"), tf.Variable([0.5], name="b"), tf.Variable([1.0], name="gain")]
optimizer = tf.keras.optimizers.SGD(0.1)
for task in range(4):
    x = tf.random.normal((8, 2))
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            loss = tf.reduce_mean(tf.square(x @ w[0] + w[1] - 1.0))
        grads = inner.gradient(loss, w)
        fast = [v if g is None else v - 0.1 * g for v, g in zip(w, grads)]
        final = tf.reduce_mean(tf.square((x @ fast[0] + fast[1]) * fast[2] - 1.0))
    optimizer.apply_gradients(zip(outer.gradient(final, w), w))
print("done")
