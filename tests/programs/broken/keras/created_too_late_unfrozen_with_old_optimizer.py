# requires: tf>=2.12
# Fine-tuning: the base is unfrozen, and the model compiled again with the old optimizer.
import numpy as np
from tensorflow import keras


def build(optimizer):
    base = keras.Sequential([keras.layers.Dense(8, activation="relu")], name="base")
    base.trainable = False
    inputs = keras.Input((4,))
    model = keras.Model(inputs, keras.layers.Dense(1)(base(inputs)))
    model.compile(optimizer, "mse")
    return model, base


def fit(model, x):
    model.fit(x, x[:, :1], verbose=0)  # why: TW603


optimizer = keras.optimizers.Adam(1e-3)
model, base = build(optimizer)
x = np.random.default_rng(0).normal(size=(16, 4)).astype("float32")
fit(model, x)
base.trainable = True
model.compile(optimizer, "mse")
fit(model, x)
