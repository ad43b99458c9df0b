"""`fit` under a MirroredStrategy with two logical devices."""

import numpy as np
import tensorflow as tf

cpus = tf.config.list_physical_devices("CPU")
tf.config.set_logical_device_configuration(cpus[0], [tf.config.LogicalDeviceConfiguration()] * 2)
strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])

with strategy.scope():
    model = tf.keras.Sequential(
        [
            tf.keras.layers.Dense(8, activation="tanh", input_shape=(3,)),
            tf.keras.layers.BatchNormalization(),
            tf.keras.layers.Dropout(0.1),
            tf.keras.layers.Dense(1),
        ]
    )
    model.compile(optimizer="adam", loss="mse")

features = np.random.rand(64, 3).astype("float32")
model.fit(features, features.sum(axis=1, keepdims=True), batch_size=16, epochs=2, verbose=0)
