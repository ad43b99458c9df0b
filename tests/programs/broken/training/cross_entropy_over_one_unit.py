# requires: keras3
"""Cats and dogs: the loss is zero from the first batch on."""
import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import Conv2D, Dense, Flatten, MaxPooling2D
from tensorflow.keras.models import Sequential

tf.keras.utils.set_random_seed(7)


def build(shape):
    model = Sequential()
    model.add(tf.keras.Input(shape))
    model.add(Conv2D(4, (3, 3), activation="relu"))
    model.add(MaxPooling2D((2, 2)))
    model.add(Flatten())
    model.add(Dense(16, activation="relu"))
    model.add(Dense(1, activation="sigmoid"))
    model.compile(optimizer="adam", loss="categorical_crossentropy", metrics=["accuracy"])  # why: TW206
    return model


images = np.random.rand(48, 10, 10, 3).astype("float32")
labels = np.random.randint(0, 2, (48, 1)).astype("float32")
model = build((10, 10, 3))
history = model.fit(images, labels, epochs=3, batch_size=8, validation_split=0.25, verbose=0)
print(history.history["loss"])
