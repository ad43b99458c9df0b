# `Add` is given its tensors as the arguments of its constructor.
from tensorflow import keras
from tensorflow.keras import layers


def feed_forward(x, width):
    hidden = layers.Dense(4 * width, activation="gelu")(x)
    return layers.Dropout(0.1)(layers.Dense(width)(hidden))


def with_shortcut(x, block, width):
    changed = block(x, width)
    joined = layers.Add([x, changed])  # why: TW306
    return layers.LayerNormalization()(joined)


def encoder(length, width, depth):
    inputs = keras.Input((length, width))
    x = inputs
    for _ in range(depth):
        x = with_shortcut(x, feed_forward, width)
    return keras.Model(inputs, x)


encoder(10, 8, 2).summary()
