"""The gradients of single rows are asked for in a loop, and each row is a new slice that the loss never saw."""

import tensorflow as tf

tf.random.set_seed(1)
table = tf.Variable(tf.random.normal((4, 3)))

with tf.GradientTape(persistent=True) as tape:
    scaled = table * 2.0
    rows = [scaled[at] for at in range(4)]  # why: TW115
    total = tf.reduce_sum(tf.square(scaled))

for at in range(4):
    slope = tape.gradient(total, rows[at])
    print(at, float(tf.norm(slope)))
