# A helper chooses a pooling layer by name, and returns the layer instead of calling it.
from tensorflow import keras
from tensorflow.keras import layers


def pooling(kind, x):
    if kind == "max":
        return layers.MaxPooling2D()(x)
    return layers.AveragePooling2D(2)  # why: TW306


def block(x, filters, kind):
    x = layers.Conv2D(filters, 3, padding="same")(x)
    x = pooling(kind, x)
    return layers.BatchNormalization()(x)


image = keras.Input((16, 16, 3))
x = block(image, 4, "max")
x = block(x, 8, "average")
model = keras.Model(image, layers.Flatten()(x))
