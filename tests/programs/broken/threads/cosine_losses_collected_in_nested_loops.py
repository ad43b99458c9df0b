import tensorflow as tf

similarity = tf.keras.losses.CosineSimilarity(axis=0, reduction="sum")


def column(vector):
    return tf.expand_dims(vector, 1)


def compare(rows, a, b):
    score = -similarity(column(a), column(b))
    rows.append(score)  # why: TW505


class Pairwise:
    def __init__(self, left):
        self.left = left

    @tf.function
    def __call__(self, right):
        rows = []
        for b in right:
            for a in self.left:
                compare(rows, a, b)
        return tf.stack(rows)


pairwise = Pairwise(tf.constant([[1.0, 1.0, 1.0], [1.0, 3.0, 1.0]]))
print(pairwise(tf.constant([[1.0, 1.0, 2.0]])))
