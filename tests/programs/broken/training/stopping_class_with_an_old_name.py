"""A subclass of a callback waits for a metric by the name that it had in another program; one more has no test data."""
import numpy as np
import tensorflow as tf

generator = np.random.default_rng(4)
inputs = generator.normal(size=(48, 5)).astype("float32")
targets = (inputs[:, :1] > 0).astype("float32")


class Patient(tf.keras.callbacks.EarlyStopping):
    def on_epoch_end(self, epoch, logs=None):
        assert type(logs) is dict
        super().on_epoch_end(epoch, logs)


model = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="relu"), tf.keras.layers.Dense(1, "sigmoid")])
model.compile("sgd", "binary_crossentropy", metrics=["accuracy"])
patient = Patient(monitor="acc", mode="max", patience=2)  # why: TW802
slower = tf.keras.callbacks.ReduceLROnPlateau(factor=0.5, patience=1)  # why: TW802
history = model.fit(inputs, targets, epochs=3, callbacks=[patient, slower], verbose=0)
