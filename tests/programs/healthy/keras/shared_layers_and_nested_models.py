# Shared layers, a nested model, several inputs and outputs.
import numpy as np
from tensorflow import keras

embed = keras.Sequential([keras.layers.Dense(8, activation="relu"), keras.layers.Dense(4)], name="embed")
left, right = keras.Input((6,), name="left"), keras.Input((6,), name="right")
a, b = embed(left), embed(right)
distance = keras.layers.Subtract()([a, b])
joined = keras.layers.Concatenate()([a, b, distance])
same = keras.layers.Dense(1, activation="sigmoid", name="same")(joined)
size = keras.layers.Dense(1, name="size")(joined)
model = keras.Model(inputs=[left, right], outputs={"same": same, "size": size})
model.compile("adam", loss={"same": "binary_crossentropy", "size": "mse"})

x = np.random.default_rng(0).normal(size=(16, 6)).astype("float32")
y = {"same": np.ones((16, 1), "float32"), "size": np.zeros((16, 1), "float32")}
model.fit([x, x], y, epochs=1, verbose=0)
inner = keras.Model(model.inputs, joined)
assert inner([x, x]).shape[-1] == 12
