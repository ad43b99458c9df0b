"""A model that reads one column of a spectrogram whose length is known only when it runs."""
# requires: keras3
import numpy as np
import tensorflow as tf
from tensorflow import keras


def normalised(x):
    return keras.layers.LayerNormalization()(x)


def column_model(classes):
    x = keras.Input(batch_shape=(1, None, 8))
    features = normalised(x)
    batch, length, _ = tf.unstack(tf.shape(features))  # why: TW302
    middle = features[:, length // 2]
    scores = keras.layers.Dense(classes)(middle)
    return keras.Model(inputs=x, outputs=scores)


def main():
    data = np.random.normal(size=(1, 10, 8)).astype("float32")
    model = column_model(3)
    print(model(data))


main()
