"""A subclassed GRU classifier on a ragged batch, made dense with a mask."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(120)
rng = np.random.default_rng(120)

sentences = tf.ragged.constant([rng.integers(1, 20, size=n).tolist() for n in (3, 5, 2, 6, 4, 3, 5, 2)])
labels = tf.constant([0, 1, 0, 1, 1, 0, 1, 0])


class Classifier(keras.Model):
    def __init__(self):
        super().__init__()
        self.embedding = keras.layers.Embedding(20, 6, mask_zero=True)
        self.gru = keras.layers.GRU(8)
        self.out = keras.layers.Dense(2)

    def call(self, tokens):
        return self.out(self.gru(self.embedding(tokens)))


model = Classifier()
optimizer = keras.optimizers.Adam(0.02)
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
dense = sentences.to_tensor(default_value=0)
lengths = sentences.row_lengths()

for epoch in range(3):
    with tf.GradientTape() as tape:
        loss = loss_fn(labels, model(dense))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    print(epoch, round(float(loss), 3), int(tf.reduce_max(lengths)))
