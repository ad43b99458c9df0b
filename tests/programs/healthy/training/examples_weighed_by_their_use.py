"""Examples are weighed by what a step with each of them does for others: the slope is taken at weights of zero."""

import tensorflow as tf

tf.keras.utils.set_random_seed(5)
x, y = tf.random.normal((24, 3)), tf.random.normal((24, 1))
held_out, wanted = tf.random.normal((8, 3)), tf.random.normal((8, 1))
kernel = tf.Variable(tf.random.normal((3, 1)))
optimizer = tf.keras.optimizers.SGD(0.1)


def errors():
    return tf.reduce_sum(tf.square(x @ kernel - y), axis=-1)


for step in range(6):
    with tf.GradientTape() as outer:
        weights = tf.zeros(24)
        outer.watch(weights)
        with tf.GradientTape() as inner:
            weighed = tf.reduce_sum(weights * errors())
        moved = kernel - 0.1 * inner.gradient(weighed, kernel)
        after = tf.reduce_mean(tf.square(held_out @ moved - wanted))
    useful = tf.nn.relu(-outer.gradient(after, weights))
    assert tf.reduce_max(useful) > 0
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(useful / tf.reduce_sum(useful) * errors())
    optimizer.apply_gradients([(tape.gradient(loss, kernel), kernel)])
print("loss", float(loss))
