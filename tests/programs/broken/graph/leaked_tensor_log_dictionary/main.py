import tensorflow as tf
from monitor import Monitor, summary

monitor = Monitor()
weights = tf.Variable([0.5, -0.5])


@tf.function
def step(x):
    penalty = tf.reduce_sum(tf.abs(weights))
    monitor.record("penalty", penalty)
    return tf.reduce_sum(weights * x) + penalty


step(tf.constant([1.0, 2.0]))
print(summary(monitor))
