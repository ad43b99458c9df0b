import tensorflow as tf

similarity = tf.keras.losses.CosineSimilarity(axis=0, reduction="sum")


@tf.function
def pairwise(left, right):
    rows = []
    for b in right:
        for a in left:
            rows.append(-similarity(tf.expand_dims(a, 1), tf.expand_dims(b, 1)))  # why: TW505
    return tf.stack(rows)


left = tf.constant([[1.0, 1.0, 1.0], [1.0, 3.0, 1.0]])
right = tf.constant([[1.0, 1.0, 2.0]])
print(pairwise(left, right))
