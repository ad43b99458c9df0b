"""Segmentation: a U-Net with skip connections, a dice loss function, a Sequence of batches and mean IoU."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(8)


class Shapes(keras.utils.Sequence):
    def __init__(self, count, batch):
        super().__init__()
        self.count, self.batch = count, batch

    def __len__(self):
        return self.count // self.batch

    def __getitem__(self, index):
        rng = np.random.default_rng(index)
        images = rng.uniform(size=(self.batch, 16, 16, 1)).astype("float32")
        return images, (images > 0.6).astype("float32")


def dice_loss(y_true, y_pred):
    y_true = tf.cast(y_true, y_pred.dtype)
    intersection = tf.reduce_sum(y_true * y_pred, axis=[1, 2, 3])
    union = tf.reduce_sum(y_true + y_pred, axis=[1, 2, 3])
    return 1 - (2 * intersection + 1.0) / (union + 1.0)


def down(x, filters):
    x = layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
    return x, layers.MaxPooling2D()(x)


def up(x, skip, filters):
    x = layers.Conv2DTranspose(filters, 3, strides=2, padding="same", activation="relu")(x)
    return layers.Conv2D(filters, 3, padding="same", activation="relu")(layers.Concatenate()([x, skip]))


inputs = keras.Input((16, 16, 1))
skips, h = [], inputs
for filters in (4, 8):
    skip, h = down(h, filters)
    skips.append(skip)
h = layers.Conv2D(12, 3, padding="same", activation="relu")(h)
for filters, skip in zip((8, 4), reversed(skips)):
    h = up(h, skip, filters)
model = keras.Model(inputs, layers.Conv2D(1, 1, activation="sigmoid")(h))
model.compile("adam", dice_loss, metrics=[keras.metrics.BinaryIoU() if hasattr(keras.metrics, "BinaryIoU") else "mae"])
history = model.fit(Shapes(16, 8), epochs=2, verbose=0)
print(len(history.history["loss"]), model.predict(Shapes(16, 8)[0][0], verbose=0).shape)
