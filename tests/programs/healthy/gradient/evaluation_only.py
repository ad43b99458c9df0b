"""A model is loaded with given weights and only evaluated: no gradient is asked for, nothing is trained."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(107)
rng = np.random.default_rng(107)

model = keras.Sequential(
    [keras.Input((6,)), keras.layers.Dense(8, activation="relu"), keras.layers.Dense(3, activation="softmax")]
)
model.set_weights([rng.normal(size=w.shape) * 0.3 for w in model.get_weights()])
x = rng.normal(size=(30, 6)).astype("float32")
y = rng.integers(0, 3, size=30)

probabilities = model.predict(x, verbose=0)
predicted = np.argmax(probabilities, axis=1)
confusion = tf.math.confusion_matrix(y, predicted, num_classes=3)
print("accuracy", round(float(np.mean(predicted == y)), 3))
print("confusion", confusion.numpy().tolist())
model.compile(loss="sparse_categorical_crossentropy", metrics=["accuracy"])
print("evaluate", [round(v, 4) for v in model.evaluate(x, y, verbose=0)])
