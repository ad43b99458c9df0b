import numpy as np
import tensorflow as tf

inputs = tf.keras.Input((4,))
backbone = tf.keras.Sequential(
    [tf.keras.Input((4,)), tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(8)]
)
backbone.trainable = False
outputs = tf.keras.layers.Dense(1)(backbone(inputs))
model = tf.keras.Model(inputs, outputs)
for layer in model.layers:
    layer.trainable = False  # why: TW116
model.compile("adam", "mse")
rng = np.random.default_rng(0)
model.fit(rng.normal(size=(8, 4)), rng.normal(size=(8, 1)), verbose=0)
