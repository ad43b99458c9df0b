import numpy as np
import tensorflow as tf


class TinyEncoder(tf.keras.layers.Layer):
    """Returns the sequence and a pooled first token, as text encoders do."""

    def __init__(self, vocabulary, width):
        super().__init__()
        self.embed = tf.keras.layers.Embedding(vocabulary, width)
        self.mix = tf.keras.layers.Dense(width, activation="relu")
        self.pooler = tf.keras.layers.Dense(width, activation="tanh")

    def call(self, tokens):
        sequence = self.mix(self.embed(tokens))
        pooled = self.pooler(sequence[:, 0])  # why: TW115
        return sequence, pooled


tokens = tf.keras.Input((7,), dtype="int32")
sequence, _ = TinyEncoder(20, 8)(tokens)
logits = tf.keras.layers.Dense(1, activation="sigmoid")(tf.keras.layers.GlobalMaxPooling1D()(sequence))
model = tf.keras.Model(tokens, logits)
model.compile("adam", "binary_crossentropy")
rng = np.random.default_rng(0)
model.fit(rng.integers(0, 20, (16, 7)), rng.integers(0, 2, (16, 1)), verbose=0)
