"""Asks which pixels of an image decide the score: a saliency map."""

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Conv2D(2, 3, activation="tanh"), tf.keras.layers.GlobalMaxPool2D()])
image = tf.random.uniform((1, 8, 8, 1))  # why: TW101

with tf.GradientTape() as tape:
    score = tf.reduce_max(model(image))

saliency = tape.gradient(score, image)
print("saliency", saliency)
