# The head comes from a helper module that imports TensorFlow's private Keras.
from heads import classification_head
from tensorflow import keras

base = keras.Sequential([keras.Input((8,)), keras.layers.Dense(16, activation="relu")])
inputs = keras.Input((8,))
outputs = classification_head(base(inputs), classes=3)
model = keras.Model(inputs, outputs)
