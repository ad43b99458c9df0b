"""Splits that stay as they are, a part that is watched on purpose, and callbacks that ask for what there is."""
import json
import pickle

import numpy as np
import tensorflow as tf

generator = np.random.default_rng(6)
inputs = generator.normal(size=(60, 4)).astype("float32")
targets = (inputs[:, :1] > 0).astype("float32")
whole = tf.data.Dataset.from_tensor_slices((inputs, targets))
once = whole.shuffle(60, seed=1, reshuffle_each_iteration=False)
before = whole.take(20), whole.skip(20).shuffle(40)
kept = whole.shuffle(60).cache()
anew = whole.shuffle(60)


class Noting(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        learned = logs.get("acc") or logs.get("accuracy")
        rate = logs.get("learning_rate", logs.get("lr", 0.01))
        print(epoch, learned is not None, rate is not None, sorted(json.loads(json.dumps({key: float(each) for key, each in logs.items()}))))
        assert type(pickle.loads(pickle.dumps(logs))) is dict


model = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="relu"), tf.keras.layers.Dense(1, "sigmoid")])
model.compile("sgd", "binary_crossentropy", metrics=["accuracy"])
callbacks = [
    tf.keras.callbacks.EarlyStopping(monitor="val_accuracy", mode="max", patience=5),
    tf.keras.callbacks.ReduceLROnPlateau(monitor="loss", patience=1),
    Noting(),
]
for test, training in ((once.take(20), once.skip(20).shuffle(40)), before, (kept.take(20), kept.skip(20))):
    model.fit(training.batch(20), validation_data=test.batch(20), epochs=2, callbacks=callbacks, verbose=0)
model.fit(anew.batch(20), validation_data=anew.take(20).batch(20), epochs=1, verbose=0)
