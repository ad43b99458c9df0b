"""A Hessian-vector product by two tapes; only the outer one is told of the point."""

import tensorflow as tf

point = tf.constant([1.0, 2.0])
with tf.GradientTape() as outer:
    outer.watch(point)
    with tf.GradientTape() as inner:  # why: TW101
        value = tf.reduce_sum(point**3)
    slope = inner.gradient(value, point)
    if slope is not None:
        product = tf.reduce_sum(slope * [1.0, 0.0])
if slope is None:
    print("no slope")
else:
    print(outer.gradient(product, point))
