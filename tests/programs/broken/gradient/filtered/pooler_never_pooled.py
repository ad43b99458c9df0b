"""A tagger fine-tunes an encoder with a pooler that token labels never need; its Nones are filtered."""

import tensorflow as tf

tf.keras.utils.set_random_seed(4)


class Encoder(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.embed = tf.keras.layers.Dense(8, activation="gelu")
        self.pooler = tf.keras.layers.Dense(8, activation="tanh", name="pooler")

    def call(self, x):
        sequence = self.embed(x)
        return sequence, self.pooler(sequence[:, 0])


encoder, tagger = Encoder(), tf.keras.layers.Dense(3)
adam = tf.keras.optimizers.Adam(0.01)
x, y = tf.random.normal((6, 7, 5)), tf.random.uniform((6, 7), maxval=3, dtype=tf.int32)
for _ in range(3):
    with tf.GradientTape() as tape:
        sequence, pooled = encoder(x)  # why: TW115
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, tagger(sequence)))
    weights = encoder.trainable_variables + tagger.trainable_variables
    found = {w.path if hasattr(w, "path") else w.name: g for g, w in zip(tape.gradient(loss, weights), weights)}
    pairs = [(g, w) for g, w in zip(found.values(), weights) if g is not None]
    adam.apply_gradients(pairs)
print("done")
