# requires: keras3
# A feature pyramid joins maps of different size, with a function of TensorFlow for the size.
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class Pyramid:
    """Builds the feature maps of a detector."""

    def __init__(self, filters):
        self.filters = filters

    def lateral(self, x):
        return layers.Conv2D(self.filters, 1, padding="same")(x)

    def merge(self, small, large):
        height, width = large.shape[1:3]
        grown = tf.image.resize(small, (height, width), method="nearest")  # why: TW302
        return layers.Add()([grown, self.lateral(large)])

    def __call__(self, maps):
        *rest, top = maps
        merged = [self.lateral(top)]
        for x in reversed(rest):
            merged.append(self.merge(merged[-1], x))
        return merged


def backbone(x):
    maps = []
    for filters in (4, 8, 16):
        x = layers.Conv2D(filters, 3, strides=2, padding="same", activation="relu")(x)
        maps.append(x)
    return maps


image = keras.Input((32, 32, 3))
pyramid = Pyramid(8)
model = keras.Model(image, pyramid(backbone(image)))
