# The tensors of a shortcut are given to the layer's constructor, and the layer is never called.
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers


def conv_block(x, filters, strides=1):
    x = layers.Conv2D(filters, 3, strides=strides, padding="same")(x)
    x = layers.BatchNormalization()(x)
    return layers.Activation("relu")(x)


def residual(x, filters, strides=1):
    shortcut = x
    if strides != 1 or x.shape[-1] != filters:
        shortcut = layers.Conv2D(filters, 1, strides=strides, padding="same")(x)
    x = conv_block(x, filters, strides)
    x = conv_block(x, filters)
    return layers.Concatenate([x, shortcut])  # why: TW306


def resnet(size, classes):
    image = keras.Input((size, size, 3))
    x = conv_block(image, 8)
    for filters, strides in ((8, 1), (16, 2)):
        x = residual(x, filters, strides)
        x = layers.Activation("relu")(x)
    x = layers.GlobalAveragePooling2D()(x)
    return keras.Model(image, layers.Dense(classes, activation="softmax")(x))


model = resnet(16, 4)
print(model.predict(np.zeros((1, 16, 16, 3)), verbose=0).shape)
