import tensorflow as tf


def power_iteration(matrix, steps):
    def body(step, vector, norm):
        vector = tf.linalg.matvec(matrix, vector)
        norm = tf.norm(vector)
        return step + 1, vector / norm

    def cond(step, vector, norm):
        return step < steps

    start = (tf.constant(0), tf.ones([3]), tf.constant(0.0))
    return tf.while_loop(cond, body, start)  # why: TW504


print(tf.function(power_iteration)(tf.linalg.diag([1.0, 2.0, 3.0]), 5))
