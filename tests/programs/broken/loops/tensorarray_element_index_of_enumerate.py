import tensorflow as tf


def batches():
    data = tf.reshape(tf.range(40, dtype=tf.float32), [20, 2])
    return tf.data.Dataset.from_tensor_slices(data).batch(4)


class Scorer(tf.Module):
    def __init__(self):
        super().__init__()
        self.weight = tf.Variable(tf.ones([2, 1]))

    def score(self, batch):
        return tf.reduce_sum(tf.matmul(batch, self.weight))

    @tf.function
    def score_all(self, dataset, count):
        scores = tf.TensorArray(tf.float32, size=count)
        for index, batch in dataset.enumerate():
            scores = scores.write(index, self.score(batch))  # why: TW506
        return scores.stack()


scorer = Scorer()
print(scorer.score_all(batches(), 5))
