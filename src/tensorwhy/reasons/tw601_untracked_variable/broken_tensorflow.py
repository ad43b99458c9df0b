# A learned scale is used in a Lambda layer, where Keras does not see it.
import numpy as np
import tensorflow as tf
from tensorflow import keras

scale = tf.Variable(0.5, name="scale")  # why: TW601
model = keras.Sequential(
    [
        keras.layers.Dense(8, activation="relu"),
        keras.layers.Lambda(lambda x: x * scale),
        keras.layers.Dense(1),
    ]
)
model.compile(optimizer="sgd", loss="mse")

features = np.random.default_rng(0).normal(size=(32, 4)).astype("float32")
model.fit(features, features.sum(axis=1, keepdims=True), epochs=2, verbose=0)
print(scale.numpy())
