import tensorflow as tf


class Counter(tf.Module):
    def __init__(self):
        self.w = tf.Variable(1.0)

    @tf.function
    def update(self, x):
        self.w = self.w + x  # why: TW401
        return self.w


counter = Counter()
counter.update(tf.constant(1.0))
print(counter.update(tf.constant([1.0, 2.0])))
