import tensorflow as tf


def confident(scores):
    return tf.boolean_mask(scores, scores > 0.5)


@tf.function
def filter_scores(batch):
    return tf.map_fn(confident, batch)  # why: TW502


print(filter_scores(tf.constant([[0.1, 0.9, 0.8], [0.7, 0.2, 0.1]])))
