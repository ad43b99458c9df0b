"""Models built again and again: k folds, a grid of settings, early stopping, clear_session, the best one kept."""

import numpy as np
from tensorflow import keras

keras.utils.set_random_seed(53)
rng = np.random.default_rng(53)
x = rng.normal(size=(48, 5)).astype("float32")
y = (x @ rng.normal(size=(5, 1)) > 0).astype("float32")


def build_model(units=8, rate=0.0, lr=1e-2):
    model = keras.Sequential()
    model.add(keras.Input((5,)))
    model.add(keras.layers.Dense(units, activation="relu"))
    if rate:
        model.add(keras.layers.Dropout(rate))
    model.add(keras.layers.Dense(1, activation="sigmoid"))
    model.compile(keras.optimizers.Adam(lr), "binary_crossentropy", metrics=["accuracy"])
    return model


def folds(count):
    parts = np.array_split(rng.permutation(len(x)), count)
    for i, part in enumerate(parts):
        yield np.concatenate([p for j, p in enumerate(parts) if j != i]), part


scores, best = {}, None
for units in (4, 8):
    for rate in (0.3,):
        keras.backend.clear_session()
        results = []
        for train, test in folds(2):
            model = build_model(units, rate)
            stop = keras.callbacks.EarlyStopping(patience=1, restore_best_weights=True)
            model.fit(x[train], y[train], validation_data=(x[test], y[test]), epochs=2, verbose=0, callbacks=[stop])
            results.append(model.evaluate(x[test], y[test], verbose=0)[0])
            if best is None or results[-1] < best[0]:
                best = (results[-1], model)
        scores[units, rate] = float(np.mean(results))
print(len(scores), best[1].predict(x[:3], verbose=0).shape)
