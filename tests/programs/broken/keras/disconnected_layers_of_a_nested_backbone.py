# Two functions call their own input `inputs`; the outputs belong to the nested model's.
import numpy as np
from tensorflow import keras


def backbone():
    inputs = keras.Input((32, 32, 3))
    x = keras.layers.Conv2D(4, 3, padding="same", activation="relu", name="c1")(inputs)
    x = keras.layers.MaxPooling2D(name="p1")(x)
    x = keras.layers.Conv2D(8, 3, padding="same", activation="relu", name="c2")(x)
    return keras.Model(inputs, x, name="backbone")


def classifier(base):
    inputs = keras.Input((32, 32, 3))
    x = base(inputs)
    x = keras.layers.GlobalAveragePooling2D()(x)
    return keras.Model(inputs, keras.layers.Dense(2)(x))


class Features:
    def __init__(self, model, nested, pattern):
        wanted = [layer.output for layer in model.get_layer(nested).layers if layer.name.startswith(pattern)]
        self.model = keras.Model(model.input, wanted)  # why: TW305

    def of(self, images):
        return self.model.predict(images, verbose=0)


model = classifier(backbone())
Features(model, "backbone", "c").of(np.zeros((1, 32, 32, 3), "float32"))
