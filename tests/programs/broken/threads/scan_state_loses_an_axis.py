import tensorflow as tf


def recurrence(state, item):
    hidden, _ = state
    hidden = tf.tanh(hidden + item)
    return hidden, tf.reduce_sum(hidden, axis=1)  # why: TW503


@tf.function
def run(sequence):
    hidden = tf.zeros([4, 3])
    output = tf.zeros([4, 1])
    return tf.scan(recurrence, sequence, initializer=(hidden, output))


print(run(tf.random.normal([5, 4, 3])))
