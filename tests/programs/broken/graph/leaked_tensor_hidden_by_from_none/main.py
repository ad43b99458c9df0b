# The original failure is hidden by `from None`, and a second one happens while it is handled.
import tensorflow as tf


class Cache:
    def __init__(self):
        self.items = {}

    @tf.function
    def fill(self, x):
        self.items["square"] = x * x  # why: TW403
        return tf.reduce_sum(x)

    def total(self):
        return tf.reduce_sum(self.items["square"])


def report(cache):
    try:
        return float(cache.total())
    except TypeError:
        raise ValueError("the cache is broken") from None


cache = Cache()
cache.fill(tf.ones([3]))
print(report(cache))
