"""Transfer learning: the base is frozen in the first phase, and unfrozen but for one layer in the second."""

import numpy as np
from tensorflow import keras

keras.utils.set_random_seed(106)
rng = np.random.default_rng(106)
images = rng.uniform(size=(48, 8, 8, 1)).astype("float32")
labels = (images.mean(axis=(1, 2, 3)) > 0.5).astype("float32")[:, None]

base = keras.Sequential(
    [
        keras.Input((8, 8, 1)),
        keras.layers.Conv2D(4, 3, activation="relu"),
        keras.layers.BatchNormalization(),
        keras.layers.GlobalAveragePooling2D(),
    ],
    name="base",
)
base.trainable = False

inputs = keras.Input((8, 8, 1))
x = base(inputs, training=False)
x = keras.layers.Dropout(0.2)(x)
outputs = keras.layers.Dense(1, activation="sigmoid")(x)
model = keras.Model(inputs, outputs)
model.compile(optimizer=keras.optimizers.Adam(0.01), loss="binary_crossentropy", metrics=["accuracy"])
print("trainable", len(model.trainable_weights))
first = model.fit(images, labels, epochs=2, batch_size=16, verbose=0)

base.trainable = True
base.layers[0].trainable = False
model.compile(optimizer=keras.optimizers.Adam(1e-4), loss="binary_crossentropy", metrics=["accuracy"])
print("trainable", len(model.trainable_weights))
second = model.fit(images, labels, epochs=2, batch_size=16, verbose=0)
print([round(v, 4) for v in first.history["loss"] + second.history["loss"]])
