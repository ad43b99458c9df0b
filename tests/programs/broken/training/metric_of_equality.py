"""`Accuracy` asks whether the probabilities are the classes."""
import numpy as np
import tensorflow as tf

x = np.random.default_rng(0).normal(size=(32, 3)).astype("float32")
model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(1, activation="sigmoid")])
model.compile("adam", "binary_crossentropy", metrics=[tf.keras.metrics.Accuracy()])  # why: TW612
print(model.fit(x, (x[:, :1] > 0).astype("float32"), epochs=2, verbose=0).history)
