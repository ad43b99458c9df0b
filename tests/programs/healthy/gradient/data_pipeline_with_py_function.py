"""py_function and numpy_function in the input pipeline: no gradient is asked for there."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(123)
rng = np.random.default_rng(123)
images = rng.uniform(size=(40, 6, 6)).astype("float32")
labels = (images.mean(axis=(1, 2)) > 0.5).astype("int64")


def flip(image):
    return np.ascontiguousarray(image[:, ::-1])


def normalise(image):
    image = image.numpy()
    return (image - image.mean()) / (image.std() + 1e-6)


def augment(image, label):
    image = tf.numpy_function(flip, [image], tf.float32)
    image = tf.py_function(normalise, [image], tf.float32)
    image.set_shape((6, 6))
    return image, label


dataset = tf.data.Dataset.from_tensor_slices((images, labels)).map(augment).batch(10).prefetch(1)
model = keras.Sequential(
    [keras.Input((6, 6)), keras.layers.Flatten(), keras.layers.Dense(8, activation="relu"), keras.layers.Dense(2)]
)
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
history = model.fit(dataset, epochs=2, verbose=0)
print([round(v, 4) for v in history.history["loss"]])
