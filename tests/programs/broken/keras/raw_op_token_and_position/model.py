import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


def embed(tokens, vocabulary, length, width):
    by_token = layers.Embedding(vocabulary, width)(tokens)
    positions = tf.range(start=0, limit=tf.shape(tokens)[-1], delta=1)  # why: TW302
    by_position = layers.Embedding(length, width)(positions)
    return by_token + by_position


def block(x, width, heads):
    attended = layers.MultiHeadAttention(heads, width // heads)(x, x)
    x = layers.LayerNormalization()(x + attended)
    return layers.LayerNormalization()(x + layers.Dense(width)(layers.Dense(2 * width, activation="relu")(x)))


def transformer(length, vocabulary, width, heads):
    tokens = keras.Input((length,), dtype="int32")
    x = embed(tokens, vocabulary, length, width)
    x = block(x, width, heads)
    x = layers.GlobalAveragePooling1D()(x)
    return keras.Model(tokens, layers.Dense(1, activation="sigmoid")(x))
