# Every layer is called on the tensor before it.
from tensorflow import keras

inputs = keras.Input((8,))
x = keras.layers.Dense(16, activation="relu")(inputs)
x = keras.layers.Dropout(0.5)(x)
outputs = keras.layers.Dense(1)(x)
model = keras.Model(inputs, outputs)
assert len(model.layers) == 4
