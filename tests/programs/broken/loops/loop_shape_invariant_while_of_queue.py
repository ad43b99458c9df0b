# A queue grows in `tf.while_loop`.
import tensorflow as tf


class Expansion:
    """Repeats the neighbours of what was found until nothing is left to find."""

    def __init__(self, limit):
        self.limit = limit

    def condition(self, step, found):
        return step < self.limit

    def body(self, step, found):
        fresh = found[-1:] * 2
        return step + 1, tf.concat([found, fresh], axis=0)  # why: TW503

    def run(self, start):
        step = tf.constant(0)
        return tf.while_loop(self.condition, self.body, [step, start])[1]


@tf.function
def expand(start):
    return Expansion(5).run(start)


print(expand(tf.constant([1])))
