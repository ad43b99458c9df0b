"""word2vec: a subclassed model with two embeddings on a tuple of inputs, skip-grams with sampled negatives."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(16)
rng = np.random.default_rng(16)
words = rng.integers(1, 20, size=60)
targets, contexts, labels = [], [], []
for position in range(2, len(words) - 2):
    for offset in (-2, -1, 1, 2):
        positive = tf.constant([[words[position + offset]]], dtype=tf.int64)
        if offset == 1:
            drawn, _, _ = tf.random.log_uniform_candidate_sampler(positive, 1, 3, True, 20, seed=5)
            negatives = drawn.numpy()
        else:
            negatives = rng.integers(1, 20, size=3)
        targets.append(words[position])
        contexts.append(np.concatenate([[words[position + offset]], negatives]))
        labels.append([1, 0, 0, 0])


class Word2Vec(tf.keras.Model):
    def __init__(self, size, width):
        super().__init__()
        self.target_embedding = layers.Embedding(size, width, name="w2v_embedding")
        self.context_embedding = layers.Embedding(size, width)

    def call(self, pair):
        target, context = pair
        if len(target.shape) == 2:
            target = tf.squeeze(target, axis=1)
        word = self.target_embedding(target)
        others = self.context_embedding(context)
        return tf.einsum("be,bce->bc", word, others)


dataset = tf.data.Dataset.from_tensor_slices(((targets, contexts), labels)).batch(16, drop_remainder=True)
model = Word2Vec(20, 6)
model.compile("adam", tf.keras.losses.CategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
history = model.fit(dataset, epochs=2, verbose=0)
print(len(history.history["loss"]), model.get_layer("w2v_embedding").get_weights()[0].shape)
