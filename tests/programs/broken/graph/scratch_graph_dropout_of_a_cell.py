# requires: keras3
# Recurrent cells with dropout that a model steps by itself: Keras keeps their masks from its trial run.
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers


class ReviewReader(tf.keras.Model):
    def __init__(self, units, vocabulary, length):
        super().__init__()
        self.units, self.length = units, length
        self.embedding = layers.Embedding(vocabulary, 8)
        self.cell = layers.SimpleRNNCell(units, dropout=0.5)
        self.out = layers.Dense(1)

    def read(self, words, training):
        hidden, state = None, [tf.zeros([tf.shape(words)[0], self.units])]
        for word in tf.unstack(words, num=self.length, axis=1):
            hidden, state = self.cell(word, state, training=training)  # why: TW402
        return hidden

    def call(self, inputs, training=None):
        return tf.sigmoid(self.out(self.read(self.embedding(inputs), training)))


rng = np.random.default_rng(0)
x = rng.integers(0, 50, (32, 4)).astype("int32")
y = rng.integers(0, 2, (32, 1)).astype("float32")
model = ReviewReader(8, 50, 4)
model.compile(optimizer="adam", loss="binary_crossentropy")
model.fit(x, y, epochs=1, verbose=0)
