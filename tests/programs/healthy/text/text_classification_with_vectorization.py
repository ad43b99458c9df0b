"""Sentences to words by TextVectorization, embedding and pooling, then an end-to-end model that takes strings."""

import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(11)
texts = [
    "a good film",
    "what a bad film",
    "really good acting",
    "bad and boring",
    "good good fun",
    "boring bad plot",
] * 4
labels = [1, 0, 1, 0, 1, 0] * 4


def standardise(text):
    lowered = tf.strings.lower(text)
    return tf.strings.regex_replace(lowered, "[.,!?]", "")


vectorize = layers.TextVectorization(
    standardize=standardise, max_tokens=40, output_mode="int", output_sequence_length=6
)
raw = tf.data.Dataset.from_tensor_slices((texts, labels)).batch(8)
vectorize.adapt(raw.map(lambda text, label: text))
train = raw.map(lambda text, label: (vectorize(tf.expand_dims(text, -1)), label)).cache().prefetch(tf.data.AUTOTUNE)

model = keras.Sequential(
    [
        layers.Embedding(40, 8, mask_zero=True),
        layers.Dropout(0.2),
        layers.GlobalAveragePooling1D(),
        layers.Dense(1),
    ]
)
model.compile("adam", keras.losses.BinaryCrossentropy(from_logits=True), metrics=[keras.metrics.BinaryAccuracy(threshold=0.0)])
history = model.fit(train, epochs=2, verbose=0)
strings = keras.Input(shape=(1,), dtype="string")
export = keras.Model(strings, layers.Activation("sigmoid")(model(vectorize(strings))))
print(len(vectorize.get_vocabulary()), len(history.history["loss"]))
print(export(tf.constant([["a good plot"], ["so boring"]])).shape)
