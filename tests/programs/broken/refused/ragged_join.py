"""Tokens and their characters are joined, and have different ragged ranks."""
import tensorflow as tf

sentences = tf.ragged.constant([["a", "bc"], ["def"]])
letters = tf.strings.unicode_split(sentences, "UTF-8")


def both(words, parts):
    return tf.concat([words, parts], axis=1)  # why: TW701


print(both(sentences, letters))
