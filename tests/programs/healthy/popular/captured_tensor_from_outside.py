# An eager tensor from outside a traced function is captured by it: that works, and always did.
import tensorflow as tf

offset = tf.constant([1, 2, 3])
scale = tf.Variable(10.0)


@tf.function
def shifted(x):
    return x + offset


@tf.function
def scaled(x):
    return tf.cast(x, tf.float32) * scale


print(shifted(tf.constant([4, 5, 6])).numpy(), scaled(tf.constant([1, 2])).numpy())
scale.assign(100.0)
print(scaled(tf.constant([1, 2])).numpy())
