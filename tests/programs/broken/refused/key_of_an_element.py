"""A function of a dataset looks for a key that the parsed example does not have."""

import tensorflow as tf

feature = {"pixels": tf.train.Feature(float_list=tf.train.FloatList(value=[1.0, 2.0]))}
example = tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString()


def read(raw):
    row = tf.io.parse_single_example(raw, {"pixels": tf.io.FixedLenFeature([2], tf.float32)})
    return row["pixels"], row["label"]  # why: TW701


for pixels, label in tf.data.Dataset.from_tensors(example).map(read):
    print(pixels.shape)
