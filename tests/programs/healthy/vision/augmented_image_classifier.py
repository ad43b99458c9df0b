"""Image classification with augmentation layers inside the model, a cached pipeline and a learning-rate schedule."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(1)
rng = np.random.default_rng(1)
images = rng.uniform(0, 255, size=(48, 16, 16, 3)).astype("float32")
labels = (images[:, :8].mean(axis=(1, 2, 3)) > images[:, 8:].mean(axis=(1, 2, 3))).astype("int32")

augment = keras.Sequential(
    [layers.RandomFlip("horizontal"), layers.RandomRotation(0.1), layers.RandomZoom(0.1), layers.RandomContrast(0.1)],
    name="augment",
)


def build(shape, classes):
    inputs = keras.Input(shape=shape)
    x = augment(inputs)
    x = layers.Rescaling(1.0 / 255)(x)
    x = layers.Conv2D(8, 3, strides=2, padding="same")(x)
    x = layers.BatchNormalization()(x)
    x = layers.Activation("relu")(x)
    previous = x
    for size in (8, 12):
        x = layers.Activation("relu")(x)
        x = layers.SeparableConv2D(size, 3, padding="same")(x)
        x = layers.BatchNormalization()(x)
        x = layers.MaxPooling2D(3, strides=2, padding="same")(x)
        residual = layers.Conv2D(size, 1, strides=2, padding="same")(previous)
        x = layers.add([x, residual])
        previous = x
    x = layers.GlobalAveragePooling2D()(x)
    x = layers.Dropout(0.25)(x)
    return keras.Model(inputs, layers.Dense(classes, activation="softmax")(x))


dataset = tf.data.Dataset.from_tensor_slices((images, labels)).cache().shuffle(48, seed=1).batch(16).prefetch(2)
model = build((16, 16, 3), 2)
schedule = keras.optimizers.schedules.ExponentialDecay(1e-3, 10, 0.9)
model.compile(keras.optimizers.Adam(schedule), "sparse_categorical_crossentropy", metrics=["accuracy"])
history = model.fit(dataset, epochs=2, verbose=0)
print(sorted(history.history), model.predict(images[:2], verbose=0).shape)
print("layers", len(model.layers), "weights", len(model.trainable_weights))
