import tensorflow as tf


class Collector:
    """Keeps one row for each step."""

    def __init__(self, steps):
        self.rows = tf.TensorArray(tf.float32, size=steps)

    def add(self, index, row):
        self.rows.write(index, row)  # why: TW507

    def result(self):
        return self.rows.stack()


def weighted(row, times):
    return row * tf.cast(times, tf.float32)


@tf.function
def repeat(rows, times):
    steps = tf.shape(rows)[0]
    collector = Collector(steps)
    for index in tf.range(steps):
        collector.add(index, weighted(rows[index], times[index]))
    return collector.result()


print(repeat(tf.ones([3, 2]), tf.constant([1, 2, 3])))
