import tensorflow as tf


class Counter(tf.Module):
    def __init__(self):
        super().__init__()
        self.total = tf.Variable(0.0)

    @tf.function
    def add(self, x):
        self.total = self.total + tf.reduce_sum(x)  # why: TW401
        return self.total


counter = Counter()
for batch in tf.data.Dataset.from_tensor_slices(tf.ones([4, 2])).batch(2):
    counter.add(batch)
print(float(counter.total))
