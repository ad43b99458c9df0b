"""Masked language modelling: padding masks, positions gathered by index, sample weights, two heads trained jointly."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(17)
rng = np.random.default_rng(17)
ids = rng.integers(2, 20, size=(16, 8)).astype("int32")
ids[:, 6:] = 0
segments = np.zeros_like(ids)
segments[:, 3:] = 1
where = np.tile(np.array([[1, 4]], "int32"), (16, 1))
words = np.take_along_axis(ids, where, axis=1)
ids_masked = ids.copy()
np.put_along_axis(ids_masked, where, 1, axis=1)
is_next = rng.integers(0, 2, size=(16, 1)).astype("float32")

word_ids = keras.Input((8,), dtype="int32", name="word_ids")
segment_ids = keras.Input((8,), dtype="int32", name="segment_ids")
masked = keras.Input((2,), dtype="int32", name="masked_positions")
embed = layers.Embedding(20, 12)
h = layers.Add()([embed(word_ids), layers.Embedding(2, 12)(segment_ids)])
keep = layers.Lambda(lambda t: tf.cast(tf.not_equal(t, 0), "bool")[:, tf.newaxis, :])(word_ids)
for _ in range(2):
    attended = layers.MultiHeadAttention(2, 6)(h, h, attention_mask=keep)
    h = layers.LayerNormalization()(h + attended)
    h = layers.LayerNormalization()(h + layers.Dense(12, activation="gelu")(h))
first = layers.Lambda(lambda t: t[:, 0, :])(h)
pooled = layers.Dense(12, activation="tanh", name="pooler")(first)
gathered = layers.Lambda(lambda pair: tf.gather(pair[0], pair[1], batch_dims=1), output_shape=(2, 12))([h, masked])
mlm = layers.Dense(20, name="mlm")(gathered)
nsp = layers.Dense(1, activation="sigmoid", name="nsp")(pooled)
model = keras.Model([word_ids, segment_ids, masked], {"mlm": mlm, "nsp": nsp})
model.compile(
    "adam",
    {"mlm": keras.losses.SparseCategoricalCrossentropy(from_logits=True), "nsp": "binary_crossentropy"},
    loss_weights={"mlm": 1.0, "nsp": 0.5},
)
inputs = {"word_ids": ids_masked, "segment_ids": segments, "masked_positions": where}
history = model.fit(inputs, {"mlm": words, "nsp": is_next}, epochs=2, batch_size=8, verbose=0)
print(history.history["loss"][-1] < history.history["loss"][0])
