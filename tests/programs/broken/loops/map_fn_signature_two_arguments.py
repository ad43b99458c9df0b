"""Similarity of pairs of vectors, one pair at a time."""

import tensorflow as tf


def similarity(left, right):
    return tf.reduce_sum(left * right) / (tf.norm(left) * tf.norm(right))


def similarities(lefts, rights):
    return tf.map_fn(similarity, (lefts, rights), fn_output_signature=tf.float32)  # why: TW701


def main():
    lefts = tf.random.normal([3, 4])
    rights = tf.random.normal([3, 4])
    print(similarities(lefts, rights).shape)


main()
