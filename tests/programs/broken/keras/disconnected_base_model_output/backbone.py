"""A small backbone."""
from tensorflow import keras


def backbone():
    image = keras.Input((16, 16, 3), name="backbone_image")
    x = keras.layers.Conv2D(4, 3, activation="relu")(image)
    x = keras.layers.Conv2D(8, 3, activation="relu")(x)
    return keras.Model(image, x)
