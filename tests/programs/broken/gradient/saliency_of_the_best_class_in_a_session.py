"""A saliency map in a session that differentiates the number of the best class, not its score."""
import numpy as np
import tensorflow as tf

tf.compat.v1.disable_eager_execution()
x = tf.compat.v1.placeholder(tf.float32, [None, 4])
w = tf.compat.v1.get_variable("w", [4, 3], use_resource=True)
scores = tf.matmul(x, w)
best = tf.argmax(scores, axis=1)  # why: TW106
top = tf.cast(best, tf.float32)
saliency = tf.gradients(top, x)[0]
with tf.compat.v1.Session() as s:
    s.run(tf.compat.v1.global_variables_initializer())
    print(s.run(saliency, {x: np.ones((2, 4))}))
