# The fold keeps a sum and a product, and its function returns the sum alone.
import tensorflow as tf


def both(kept, value):
    return kept[0] + value  # why: TW504


@tf.function
def totals(values):
    return tf.foldl(both, values, initializer=(tf.zeros([]), tf.ones([])))


print(totals(tf.ones([4])))
