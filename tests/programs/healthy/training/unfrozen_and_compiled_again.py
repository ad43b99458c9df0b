"""Fine-tuning: the top of the base is unfrozen after the first phase, and the model is compiled again."""
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

x = np.random.default_rng(0).normal(size=(48, 8)).astype("float32")
y = (x[:, :1] > 0).astype("float32")
base = keras.Sequential([keras.Input((8,)), layers.Dense(8, activation="relu"), layers.BatchNormalization(), layers.Dense(6, activation="relu")], name="base")
base.trainable = False
inputs = keras.Input((8,))
hidden = base(inputs, training=False)
outputs = layers.Dense(1, activation="sigmoid")(hidden)
model = keras.Model(inputs, outputs)
model.compile(optimizer=keras.optimizers.Adam(1e-2), loss="binary_crossentropy")
model.compile(optimizer=keras.optimizers.Adam(1e-3), loss="binary_crossentropy")
model.fit(x, y, epochs=2, batch_size=16, verbose=0)


def unfreeze(network, last):
    network.trainable = True
    for layer in network.layers[-last:]:
        if not isinstance(layer, layers.BatchNormalization):
            layer.trainable = True


unfreeze(base, 3)
model.compile(optimizer=keras.optimizers.Adam(1e-3), loss="binary_crossentropy")
model.fit(x, y, epochs=2, batch_size=16, verbose=0)
