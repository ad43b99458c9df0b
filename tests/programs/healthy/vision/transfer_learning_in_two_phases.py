"""A frozen convolutional base with a new head, then the top of the base is unfrozen and compiled again."""

import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(2)
rng = np.random.default_rng(2)
x, y = rng.uniform(-1, 1, size=(24, 32, 32, 3)).astype("float32"), rng.integers(0, 3, size=24)


def backbone():
    inputs = keras.Input((32, 32, 3))
    h = inputs
    for block, filters in enumerate((4, 8, 8)):
        h = layers.Conv2D(filters, 3, strides=2, padding="same", name=f"block{block}_conv")(h)
        h = layers.BatchNormalization(name=f"block{block}_bn")(h)
        h = layers.ReLU(name=f"block{block}_relu")(h)
    return keras.Model(inputs, h, name="backbone")


base = backbone()
base.trainable = False
inputs = keras.Input((32, 32, 3))
features = base(inputs, training=False)
pooled = layers.GlobalAveragePooling2D()(features)
outputs = layers.Dense(3)(layers.Dropout(0.2)(pooled))
model = keras.Model(inputs, outputs)
loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
model.compile(keras.optimizers.Adam(1e-2), loss, metrics=["accuracy"])
before = [w.copy() for w in base.get_weights()]
model.fit(x, y, epochs=1, batch_size=8, verbose=0)
print("phase 1", len(model.trainable_weights), all((a == b).all() for a, b in zip(before, base.get_weights())))

base.trainable = True
for layer in base.layers:
    layer.trainable = layer.name.startswith("block2") and not layer.name.endswith("bn")
model.compile(keras.optimizers.Adam(1e-4), loss, metrics=["accuracy"])
model.fit(x, y, epochs=1, batch_size=8, verbose=0)
print("phase 2", len(model.trainable_weights))
print(sum(bool((a != b).any()) for a, b in zip(before, base.get_weights())), "arrays of the base moved")
