# Members of an ensemble are made on one line and trained in turn at another.
import tensorflow as tf

members = [tf.Variable(tf.random.normal((3, 1), seed=seed)) for seed in range(5)]
x = tf.random.normal((16, 3), seed=7)
y = tf.reduce_sum(x, axis=1, keepdims=True)
for _ in range(3):
    for member in members:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((x @ member - y) ** 2)
        member.assign_sub(0.1 * tape.gradient(loss, member))
