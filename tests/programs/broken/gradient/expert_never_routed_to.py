"""Two experts behind a `tf.cond` inside a tf.function: the condition is never true, so one expert's gradient is zero.

In a graph the branch not taken gives zeros, not None. With the comparison the other way round that expert trains.
"""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(94)
x = tf.constant(rng.uniform(0.0, 1.0, size=(20, 3)), tf.float32)
y = tf.reduce_sum(x, axis=1, keepdims=True)
coarse = tf.Variable(tf.random.stateless_normal([3, 1], seed=[1, 1]), name="coarse")
fine = tf.Variable(tf.random.stateless_normal([3, 1], seed=[2, 2]), name="fine")


@tf.function
def mixture(batch):
    roughness = tf.math.reduce_std(batch)
    return tf.cond(
        roughness > 5.0,  # why: TW207
        lambda: tf.matmul(batch, coarse),
        lambda: tf.matmul(batch, fine),
    )


for step in range(6):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(mixture(x) - y))
    gradients = tape.gradient(loss, [coarse, fine])
    coarse.assign_sub(0.1 * gradients[0])
    fine.assign_sub(0.1 * gradients[1])
    print(step, round(float(loss), 4), [float(tf.norm(g)) for g in gradients])
