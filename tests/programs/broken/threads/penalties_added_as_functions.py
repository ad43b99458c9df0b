"""A loss that keeps the kernels of a layer apart adds its penalties to the model while it is computed."""
# requires: keras3
import numpy as np
import tensorflow as tf
from tensorflow import keras


def build(filters):
    return keras.Sequential(
        [
            keras.Input((8, 8, 3)),
            keras.layers.Conv2D(filters, 3, activation="relu", name="pointwise"),
            keras.layers.GlobalAveragePooling2D(),
            keras.layers.Dense(2, activation="softmax"),
        ]
    )


def inner_loss(model, penalty=0.001):
    kernel = model.get_layer("pointwise").kernel
    for i in range(kernel.shape[3]):
        for j in range(i + 1, kernel.shape[3]):
            first = tf.reshape(kernel[:, :, :, i], [-1])
            second = tf.reshape(kernel[:, :, :, j], [-1])
            model.add_loss(lambda: penalty * tf.abs(tf.reduce_sum(first * second)))  # why: TW701

    def loss(y_true, y_pred):
        return keras.losses.sparse_categorical_crossentropy(y_true, y_pred)

    return loss


def main():
    model = build(4)
    model.compile("adam", loss=inner_loss(model))
    x = np.random.rand(16, 8, 8, 3).astype("float32")
    y = np.random.randint(0, 2, 16)
    model.fit(x, y, epochs=2, verbose=0)


main()
