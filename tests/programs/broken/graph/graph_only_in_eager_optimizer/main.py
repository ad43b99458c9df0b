import tensorflow as tf

weights = tf.Variable(tf.random.normal([3, 1]))
optimizer = tf.compat.v1.train.AdamOptimizer(0.01)


def loss_of(x, y):
    return tf.reduce_mean(tf.square(tf.matmul(x, weights) - y))


def fit(x, y, steps):
    for _ in range(steps):
        loss = loss_of(x, y)
        optimizer.minimize(loss)  # why: TW407
    return loss


x = tf.random.normal([8, 3])
print(fit(x, x[:, :1], 3))
