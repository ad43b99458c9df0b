# Each mask has another number of positions, and they are to become one tensor.
import tensorflow as tf


def positions(mask):
    return tf.squeeze(tf.where(mask), axis=-1)


def spans(masks):
    found = tf.map_fn(positions, masks, fn_output_signature=tf.int64)  # why: TW502
    return found[:, 0], found[:, -1]


def pipeline(scores, limit):
    dataset = tf.data.Dataset.from_tensor_slices(scores).batch(3)
    return dataset.map(lambda batch: spans(batch > limit))


scores = tf.constant([[0.1, 0.8, 0.9], [0.9, 0.1, 0.2], [0.7, 0.7, 0.7]])
for starts, ends in pipeline(scores, 0.5):
    print(starts.numpy(), ends.numpy())
