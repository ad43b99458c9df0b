"""A forecast of 6 hours is trained with a model that gives one number; the targets keep an axis of size 1."""
import numpy as np
import tensorflow as tf

generator = np.random.default_rng(3)
past = generator.normal(size=(24, 5, 1)).astype("float32")
hours = generator.normal(size=(24, 6, 1)).astype("float32")


def forecaster():
    recurrent = tf.keras.layers.GRU(4)
    return tf.keras.Sequential([tf.keras.Input((5, 1)), recurrent, tf.keras.layers.Dense(1)])  # why: TW801


model = forecaster()
model.compile(loss="mae", optimizer="sgd")
model.fit(past, hours, epochs=2, batch_size=8, verbose=0)
print(model.predict(past, verbose=0).shape, hours.shape)
