"""Standardising, one-hot encoding and splitting in NumPy before the training starts."""

import numpy as np
from tensorflow import keras

keras.utils.set_random_seed(142)
rng = np.random.default_rng(142)
raw = {"age": rng.integers(18, 80, size=90), "city": rng.choice(["a", "b", "c"], size=90), "pay": rng.gamma(2, 2, 90)}


class Standardiser:
    def fit(self, values):
        self.mean, self.std = values.mean(), values.std() + 1e-9
        return self

    def transform(self, values):
        return (values - self.mean) / self.std


cities = sorted(set(raw["city"].tolist()))
onehot = np.eye(3)[[cities.index(c) for c in raw["city"].tolist()]]
columns = [Standardiser().fit(raw[k]).transform(raw[k])[:, None] for k in ("age", "pay")]
features = np.concatenate([*columns, onehot], axis=1).astype("float32")
target = (raw["pay"] > np.median(raw["pay"])).astype("float32")
order = rng.permutation(90)
train, test = order[:70], order[70:]

model = keras.Sequential(
    [keras.Input((5,)), keras.layers.Dense(6, activation="relu"), keras.layers.Dense(1, activation="sigmoid")]
)
model.compile("adam", "binary_crossentropy")
model.fit(features[train], target[train], epochs=3, batch_size=35, verbose=0)
scores = model.predict(features[test], verbose=0)[:, 0]
ranks = scores.argsort().argsort() + 1
positives = target[test] == 1
auc = (ranks[positives].sum() - positives.sum() * (positives.sum() + 1) / 2) / (positives.sum() * (~positives).sum())
print("auc between 0 and 1:", bool(0 <= auc <= 1), "test", len(test))
