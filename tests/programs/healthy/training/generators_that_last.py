"""Generators for `fit`: one that never ends, one for a single epoch, and one with as many batches as are asked for."""
import numpy as np
import tensorflow as tf

samples = np.random.default_rng(7).normal(size=(12, 3)).astype("float32")


def once():
    for start in range(0, 12, 4):
        yield samples[start : start + 4], samples[start : start + 4, :1]


def for_ever():
    while True:
        yield from once()


model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(for_ever(), steps_per_epoch=3, epochs=3, validation_data=for_ever(), validation_steps=2, verbose=0)
model.fit(once(), epochs=1, verbose=0)
model.fit(once(), steps_per_epoch=1, epochs=3, verbose=0)
stop = tf.keras.callbacks.EarlyStopping(monitor="loss", patience=0, min_delta=10.0)
model.fit(for_ever(), steps_per_epoch=3, epochs=9, callbacks=[stop], verbose=0)
spec = (tf.TensorSpec((4, 3), tf.float32), tf.TensorSpec((4, 1), tf.float32))
model.fit(tf.data.Dataset.from_generator(once, output_signature=spec), epochs=3, verbose=0)
print(model.predict(samples, verbose=0).shape)
