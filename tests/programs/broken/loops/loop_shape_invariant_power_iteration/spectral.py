import tensorflow as tf


def normalised(vector):
    return vector / tf.norm(vector)


@tf.function
def largest_eigenvalue(matrix, steps):
    vector = tf.ones([matrix.shape[0]])
    for _ in tf.range(steps):
        column = tf.matmul(matrix, tf.reshape(vector, [-1, 1]))
        vector = normalised(column)  # why: TW503
    return tf.reduce_sum(vector * tf.squeeze(tf.matmul(matrix, tf.reshape(vector, [-1, 1]))))
