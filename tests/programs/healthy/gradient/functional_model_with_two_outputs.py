"""A functional model with two inputs, two outputs and loss weights, trained by fit."""

import numpy as np
from tensorflow import keras

keras.utils.set_random_seed(168)
rng = np.random.default_rng(168)
text = keras.Input((5,), name="text")
picture = keras.Input((6, 6, 1), name="picture")
a = keras.layers.Dense(6, activation="relu")(text)
b = keras.layers.Flatten()(keras.layers.Conv2D(2, 3, activation="relu")(picture))
joined = keras.layers.Concatenate()([a, b])
price = keras.layers.Dense(1, name="price")(joined)
kind = keras.layers.Dense(3, activation="softmax", name="kind")(joined)
model = keras.Model([text, picture], [price, kind])
model.compile(
    "adam",
    loss={"price": "mse", "kind": "sparse_categorical_crossentropy"},
    loss_weights={"price": 0.3, "kind": 1.0},
)
x = {"text": rng.normal(size=(30, 5)).astype("float32"), "picture": rng.uniform(size=(30, 6, 6, 1)).astype("float32")}
y = {"price": x["text"][:, :1], "kind": rng.integers(0, 3, size=(30, 1))}
history = model.fit(x, y, epochs=2, batch_size=15, verbose=0)
print([round(v, 3) for v in history.history["loss"]])
