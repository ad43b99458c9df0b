# Three images through one embedding; every Input is among the model's inputs, and parts are used again by themselves.
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers


def embedding(shape):
    image = keras.Input(shape)
    x = layers.Dense(16, activation="relu", name="features")(image)
    return keras.Model(image, layers.Dense(4)(x), name="embedding")


def triplet(embed, shape):
    names = ("anchor", "positive", "negative")
    inputs = [keras.Input(shape, name=name) for name in names]
    a, p, n = (embed(each) for each in inputs)
    near = layers.Dot(axes=1, normalize=True)([a, p])
    far = layers.Dot(axes=1, normalize=True)([a, n])
    return keras.Model(inputs, layers.Subtract()([far, near]))


def features_of(model):
    return keras.Model(model.inputs, model.get_layer("features").output)


embed = embedding((6,))
model = triplet(embed, (6,))
model.compile("sgd", loss=lambda y_true, y_pred: y_pred - y_true)
x = np.random.default_rng(0).normal(size=(3, 12, 6)).astype("float32")
model.fit(list(x), np.zeros((12, 1)), epochs=1, verbose=0)
print(features_of(embed).predict(x[0], verbose=0).shape, embed.predict(x[1], verbose=0).shape)
