# requires: tf>=2.16
"""A single image is given to `predict`, which takes its rows for samples."""
import numpy as np
import tensorflow as tf

images = np.random.default_rng(8).random((6, 5, 4, 3)).astype("float32")
image = tf.keras.Input((5, 4, 3))
model = tf.keras.Model(image, tf.keras.layers.Conv2D(2, 3)(image))
print(model.predict(images, verbose=0).shape)
print(model.predict(images[0], verbose=0).shape)  # why: TW804
