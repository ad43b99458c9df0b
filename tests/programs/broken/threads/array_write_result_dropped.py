import tensorflow as tf


@tf.function
def repeat(rows, times):
    collected = tf.TensorArray(tf.float32, size=tf.shape(rows)[0])
    for index in tf.range(tf.shape(rows)[0]):
        collected.write(index, rows[index] * tf.cast(times[index], tf.float32))  # why: TW507
    return collected.stack()


print(repeat(tf.ones([3, 2]), tf.constant([1, 2, 3])))
