import tensorflow as tf


class Clipper:
    def __init__(self, limit):
        self.limit = limit
        self.ratio = None

    def shrink(self, x, norm):
        self.ratio = self.limit / norm  # why: TW403
        return x * self.ratio

    @tf.function
    def __call__(self, x):
        norm = tf.norm(x)
        clipped = tf.cond(norm > self.limit, lambda: self.shrink(x, norm), lambda: x)
        return clipped, self.describe()

    def describe(self):
        return self.ratio * 100.0


clip = Clipper(1.0)
print(clip(tf.constant([3.0, 4.0])))
