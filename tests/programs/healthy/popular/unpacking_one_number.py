# Fails, but not of a lost lineage: without metrics, evaluate gives one number. The traceback says it all.
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="relu"), tf.keras.layers.Dense(2)])
model.compile(optimizer="adam", loss="mse")
x, y = np.ones((20, 8), "float32"), np.ones((20, 2), "float32")
print(model.layers[0](x).shape)
model.fit(x, y, epochs=1, verbose=0)
loss, accuracy = model.evaluate(x, y, verbose=0)
print(loss, accuracy)
