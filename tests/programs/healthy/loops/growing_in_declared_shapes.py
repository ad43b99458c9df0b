# Loops whose variables grow, with the shapes declared, or collected in arrays.
import tensorflow as tf


class Expansion:
    def __init__(self, limit):
        self.limit = limit

    def body(self, step, found):
        return step + 1, tf.concat([found, found[-1:] * 2], axis=0)

    def run(self, start):
        shapes = [tf.TensorShape([]), tf.TensorShape([None])]
        variables = [tf.constant(0), start]
        return tf.while_loop(lambda step, _: step < self.limit, self.body, variables, shape_invariants=shapes)[1]


@tf.function
def collected(limit):
    found = tf.TensorArray(tf.int32, size=0, dynamic_size=True)
    value = tf.constant(1)
    for step in tf.range(limit):
        found = found.write(step, value)
        value *= 2
    return found.stack()


@tf.function
def concatenated(limit):
    found = tf.constant([1])
    for _ in tf.range(limit):
        tf.autograph.experimental.set_loop_options(shape_invariants=[(found, tf.TensorShape([None]))])
        found = tf.concat([found, found[-1:] * 2], axis=0)
    return found


expansion = Expansion(4)
print(tf.function(expansion.run)(tf.constant([1])).numpy(), collected(tf.constant(5)).numpy())
print(concatenated(tf.constant(4)).numpy())
