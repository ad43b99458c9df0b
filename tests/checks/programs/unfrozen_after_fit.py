"""Layers that are set free between two calls of `fit`, with and without another `compile`."""

from tensorflow import keras
from tensorflow.keras import layers


def without_another_compile(x, y):
    base = keras.applications.MobileNetV2(include_top=False, weights=None)
    base.trainable = False
    inputs = keras.Input((96, 96, 3))
    hidden = layers.GlobalAveragePooling2D()(base(inputs, training=False))
    model = keras.Model(inputs, layers.Dense(1)(hidden))
    model.compile("adam", "mse")
    model.fit(x, y, epochs=2)
    base.trainable = True  # why: TW116
    model.summary()
    model.fit(x, y, epochs=4)


def by_each_layer(x, y):
    base = keras.Sequential([layers.Dense(8), layers.Dense(4)])
    for layer in base.layers:
        layer.trainable = False
    model = keras.Sequential()
    model.add(base)
    model.add(layers.Dense(1))
    model.compile(optimizer="adam", loss="mse")
    model.fit(x, y)
    base.trainable = True  # why: TW116
    model.fit(x, y)


def compiled_again(x, y):
    base = keras.Sequential([layers.Dense(8), layers.Dense(4)])
    base.trainable = False
    model = keras.Sequential([base, layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(x, y)
    base.trainable = True
    model.compile(keras.optimizers.Adam(1e-5), "mse")
    model.fit(x, y)


def compiled_again_elsewhere(x, y, prepare):
    base = keras.Sequential([layers.Dense(8), layers.Dense(4)])
    base.trainable = False
    model = keras.Sequential([base, layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(x, y)
    base.trainable = True
    prepare(model)
    model.fit(x, y)


def other_data(x, y, more_x, more_y):
    base = keras.Sequential([layers.Dense(8), layers.Dense(4)])
    base.trainable = False
    model = keras.Sequential([base, layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(x, y)
    base.trainable = True
    model.fit(more_x, more_y)


def trained_all_along(x, y):
    base = keras.Sequential([layers.Dense(8), layers.Dense(4)])
    model = keras.Sequential([base, layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(x, y)
    base.trainable = True
    model.fit(x, y)


def of_another_model(x, y):
    base = keras.Sequential([layers.Dense(8), layers.Dense(4)])
    base.trainable = False
    model = keras.Sequential([layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(x, y)
    base.trainable = True
    model.fit(x, y)


def frozen_again(x, y, codes):
    base = keras.Sequential([layers.Dense(8), layers.Dense(4)])
    base.trainable = False
    model = keras.Sequential([base, layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(x, y)
    base.trainable = True
    base.fit(x, codes)
    base.trainable = False
    model.fit(x, y)
