# A residual block forgets to call its last layer; the failure shows in the function that adds the shortcut.
from tensorflow import keras


def shortcut(x, y):
    return keras.layers.Add()([x, y])


def block(x, filters):
    y = keras.layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
    y = keras.layers.BatchNormalization()(y)
    y = keras.layers.Conv2D(filters, 3, padding="same")  # why: TW306
    return shortcut(x, y)


image = keras.Input((8, 8, 4))
outputs = keras.layers.Flatten()(block(image, 4))
model = keras.Model(image, outputs)
