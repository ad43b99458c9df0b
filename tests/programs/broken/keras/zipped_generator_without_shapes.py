# requires: keras3
# The images come from a generator whose shapes nobody says; they are zipped with labels, and batched, before `fit`.
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)


def images():
    for _ in range(8):
        yield rng.normal(size=(6, 6, 1)).astype("float32")


pictures = tf.data.Dataset.from_generator(images, output_types=tf.float32)  # why: TW509
labels = tf.data.Dataset.from_tensor_slices(np.arange(8, dtype="float32")[:, None])
model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(tf.data.Dataset.zip((pictures, labels)).batch(4), verbose=0)
