# A learned temperature is a weight of a layer, so it is trained and saved.
import numpy as np
from tensorflow import keras


class Scale(keras.layers.Layer):
    def __init__(self, start):
        super().__init__()
        self.start = start

    def build(self, input_shape):
        self.scale = self.add_weight(
            name="scale", shape=(), initializer=keras.initializers.Constant(self.start), trainable=True
        )
        self.built = True

    def call(self, x):
        return x * self.scale


def tower(width):
    return keras.Sequential([keras.Input((width,)), keras.layers.Dense(8, activation="relu"), keras.layers.Dense(4)])


def contrastive(width):
    image, text = keras.Input((width,)), keras.Input((width,))
    logits = keras.layers.Dot(axes=1, normalize=True)([tower(width)(image), tower(width)(text)])
    return keras.Model([image, text], Scale(0.5)(logits))


rng = np.random.default_rng(0)
x = rng.normal(size=(2, 16, 6)).astype("float32")
model = contrastive(6)
model.compile(keras.optimizers.SGD(0.1), "mse")
before = model.layers[-1].get_weights()[0]
model.fit([x[0], x[1]], np.ones((16, 1)), epochs=1, verbose=0)
print(bool(before != model.layers[-1].get_weights()[0]))
