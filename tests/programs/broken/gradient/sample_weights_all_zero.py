"""Sample weights from a table of class weights whose keys are strings: every lookup misses and gives weight 0.

`fit` reports a loss of zero and no weight of the model changes; with integer keys both are as they should be.
"""

import numpy as np
from tensorflow import keras

keras.utils.set_random_seed(88)
rng = np.random.default_rng(88)
x = rng.normal(size=(60, 4)).astype("float32")
labels = (x[:, 0] > 0.8).astype("int64")

table = {"0": 0.6, "1": 2.5}
sample_weight = np.array([table.get(label, 0.0) for label in labels.tolist()], dtype="float32")  # why: TW204

model = keras.Sequential(
    [keras.Input((4,)), keras.layers.Dense(6, activation="tanh"), keras.layers.Dense(2, activation="softmax")]
)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
before = model.get_weights()
history = model.fit(x, labels, sample_weight=sample_weight, epochs=4, batch_size=20, verbose=0)
print("losses", [round(v, 4) for v in history.history["loss"]])
print("changed:", any(np.any(a != b) for a, b in zip(before, model.get_weights())))
