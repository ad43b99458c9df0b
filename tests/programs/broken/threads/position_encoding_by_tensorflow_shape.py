# requires: keras3
import tensorflow as tf


def add_positions(x, width):
    length = tf.shape(x)[1]  # why: TW302
    positions = tf.range(length, dtype=tf.float32)[:, None]
    angles = positions / tf.pow(1e4, tf.range(width, dtype=tf.float32) / width)
    return x + tf.sin(angles)[None]


def transformer(vocabulary, width):
    tokens = tf.keras.Input((12,))
    x = tf.keras.layers.Embedding(vocabulary, width)(tokens)
    x = add_positions(x, width)
    x = tf.keras.layers.GlobalAveragePooling1D()(x)
    return tf.keras.Model(tokens, tf.keras.layers.Dense(2)(x))


transformer(50, 8)
