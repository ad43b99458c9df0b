# requires: keras3
# run: subprocess
# One layer comes from tf_keras, as older tutorials for TensorFlow Hub do.
import keras
import tf_keras as legacy  # why: TW304


def layers():
    yield keras.layers.Dense(8, activation="relu")
    yield legacy.layers.Dense(1)


model = keras.Sequential([keras.Input((4,))])
for layer in layers():
    model.add(layer)
