import tensorflow as tf


class Grid:
    """Sampling points, worked out once for each size."""

    known = {}

    @classmethod
    def of(cls, size):
        if size not in cls.known:
            cls.known[size] = tf.linspace(-1.0, 1.0, size)  # why: TW403
        return cls.known[size]


@tf.function
def warp(x):
    return x * Grid.of(3)


@tf.function
def shift(x):
    return x + Grid.of(3)


warp(tf.ones([3]))
print(shift(tf.ones([3])))
