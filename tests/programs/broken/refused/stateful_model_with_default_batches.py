"""A stateful recurrent model for one series at a time, and a call that makes batches by itself."""
import numpy as np
import tensorflow as tf

generator = np.random.default_rng(7)
series = generator.random((40, 5, 2)).astype("float32")
following = generator.random((40, 1)).astype("float32")


def trained(model, x, y):
    model.fit(x, y, epochs=1, shuffle=False, verbose=0)  # why: TW804


inputs = tf.keras.Input(batch_shape=(1, 5, 2))
states = tf.keras.layers.LSTM(3, stateful=True)(inputs)
forecast = tf.keras.Model(inputs, tf.keras.layers.Dense(1)(states))
forecast.compile("sgd", "mse")
trained(forecast, series, following)
