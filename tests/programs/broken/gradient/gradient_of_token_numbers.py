"""Saliency of words, asked in the token numbers: the answer is None.

They are integers, and they reach the model only as indices of an embedding table. The embedded vectors, watched
instead of the numbers, have a gradient.
"""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(34)
vocabulary = ["<pad>", "the", "film", "was", "good", "bad", "very"]
table = tf.Variable(tf.random.normal([len(vocabulary), 4], seed=2), name="table")
scorer = tf.keras.layers.Dense(1)


def encode(sentence):
    return [vocabulary.index(word) for word in sentence.split()]


def embed(tokens):
    return tf.gather(table, tokens)  # why: TW108


def sentiment(vectors):
    return scorer(tf.reduce_mean(vectors, axis=0, keepdims=True))[0, 0]


tokens = tf.constant(encode("the film was very good"))  # why: TW105
with tf.GradientTape() as tape:
    tape.watch(tokens)
    vectors = embed(tokens)
    score = sentiment(vectors)
importance = tape.gradient(score, tokens)
for word, value in zip("the film was very good".split(), tf.abs(importance).numpy()):
    print(word, np.round(value, 3))
