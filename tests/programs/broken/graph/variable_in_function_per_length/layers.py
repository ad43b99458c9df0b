import tensorflow as tf


class PositionBias(tf.Module):
    """Adds a learned bias for each position, one table for each length that it meets."""

    def __init__(self):
        super().__init__()
        self.tables = {}

    def table(self, length):
        if length not in self.tables:
            self.tables[length] = tf.Variable(tf.zeros([length]))  # why: TW408
        return self.tables[length]

    def __call__(self, x):
        return x + self.table(x.shape[1])
