"""Log spectra of sounds come from a NumPy function in the pipeline, and a small model is to tell the sounds apart."""

import numpy as np
import tensorflow as tf

STEPS, BINS = 8, 9


def log_spectrum(sound):
    return np.log1p(np.abs(np.fft.rfft(sound.reshape(STEPS, 16), axis=1))).astype("float32")


def features(sound, label):
    spectrum = tf.numpy_function(log_spectrum, [sound], tf.float32)
    spectrum.set_shape([STEPS, BINS])
    return spectrum / 2.0, label


sounds = np.random.default_rng(0).normal(size=(16, 128))
labels = np.arange(16) % 2
dataset = tf.data.Dataset.from_tensor_slices((sounds, labels)).map(features).batch(4)

model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(2)])
model.compile("sgd", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(dataset, verbose=0)

assert dataset.element_spec[0].shape.as_list() == [None, STEPS, BINS]
