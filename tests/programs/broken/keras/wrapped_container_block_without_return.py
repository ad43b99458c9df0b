# The residual block of a speech model gives nothing back.
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers


class ResNet:
    def __init__(self, width, blocks):
        self.width, self.blocks = width, blocks

    def block(self, x, filters, dilation):
        shortcut = x
        x = layers.Conv1D(filters, 3, padding="causal", dilation_rate=dilation)(x)
        x = layers.BatchNormalization()(x)
        x = layers.Activation("relu")(x)
        x = layers.Conv1D(filters, 1)(x)
        x = layers.Add()([shortcut, x])
        layers.Activation("relu")(x)

    def build(self, classes):
        signal = keras.Input((None, self.width))
        x = layers.Conv1D(8, 1)(signal)
        for index in range(self.blocks):
            x = self.block(x, 8, 2**index)  # why: TW306
        x = layers.GlobalAveragePooling1D()(x)
        return keras.Model(signal, layers.Dense(classes, activation="softmax")(x))


model = ResNet(4, 2).build(3)
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(np.zeros((2, 10, 4)), np.zeros(2), verbose=0)
