"""Grad-CAM whose features come from one call and whose score from another."""

import tensorflow as tf

tf.keras.utils.set_random_seed(2)
inputs = tf.keras.Input((8, 8, 1))
conv = tf.keras.layers.Conv2D(2, 3, name="conv")
maps = conv(inputs)
scores = tf.keras.layers.Dense(3)(tf.keras.layers.GlobalAveragePooling2D()(maps))
model = tf.keras.Model(inputs, scores)
extractor = tf.keras.Model(inputs, maps)
image = tf.random.normal((1, 8, 8, 1))
with tf.GradientTape() as tape:
    features = extractor(image)  # why: TW115
    tape.watch(features)
    score = model(image)[:, 1]
print(tape.gradient(score, features))
