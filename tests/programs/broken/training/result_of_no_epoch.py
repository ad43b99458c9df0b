"""The program reads the loss of validation, and `fit` was given no data for validation."""
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
log = model.fit(np.ones((8, 2)), np.ones((8, 1)), epochs=2, verbose=0)
best = min(log.history["val_loss"])  # why: TW802
print(best, log.history["loss"])
