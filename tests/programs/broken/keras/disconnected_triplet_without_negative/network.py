"""Embeddings, and what is trained on them."""

from tensorflow import keras
from tensorflow.keras import layers


def embedding_network(shape):
    image = keras.Input(shape)
    x = layers.Dense(32, activation="relu")(image)
    x = layers.Dense(8)(x)
    return keras.Model(image, x, name="embedding")


def distances(embed, anchor, positive, negative):
    a, p, n = embed(anchor), embed(positive), embed(negative)
    return layers.Dot(axes=1, normalize=True)([a, p]), layers.Dot(axes=1, normalize=True)([a, n])


def triplet_model(shape, margin):
    names = ("anchor", "positive", "negative")
    inputs = {name: keras.Input(shape, name=name) for name in names}
    embed = embedding_network(shape)
    near, far = distances(embed, **inputs)
    loss = layers.Lambda(lambda pair: pair[1] - pair[0] + margin)([near, far])
    return keras.Model([inputs["anchor"], inputs["positive"]], loss)  # why: TW305
