"""Two branches with different heights are joined."""
import keras

image = keras.Input((32, 32, 3))
low = keras.layers.Conv2D(4, 3, padding="same")(image)
high = keras.layers.Conv2D(4, 3, strides=2, padding="same")(image)
joined = keras.layers.Concatenate()([low, high])  # why: TW701
print(joined.shape)
