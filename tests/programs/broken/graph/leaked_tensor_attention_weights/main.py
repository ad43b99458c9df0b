# The attention of the last batch is kept in the layer, to be drawn after training.
import numpy as np
from attention import AttentionPooling
from tensorflow import keras


def build(length, width):
    inputs = keras.Input((length, width))
    pooled = AttentionPooling(8)(inputs)
    return keras.Model(inputs, keras.layers.Dense(1)(pooled))


def draw(weights):
    peaks = np.asarray(weights).argmax(axis=1)
    return "".join(str(peak) for peak in peaks)


x = np.random.default_rng(0).normal(size=(16, 5, 3)).astype("float32")
model = build(5, 3)
model.compile("adam", "mse")
model.fit(x, x[:, 0, :1], epochs=1, verbose=0)
print(draw(model.layers[1].weights_of_last_batch))
