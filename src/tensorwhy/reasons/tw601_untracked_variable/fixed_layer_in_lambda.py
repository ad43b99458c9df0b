# The Dense layer is a layer of the model.
import numpy as np
import tensorflow as tf
from tensorflow import keras

projection = keras.layers.Dense(8, activation="relu")
inputs = keras.Input((4,))
hidden = projection(inputs)
outputs = keras.layers.Dense(1)(hidden)
model = keras.Model(inputs, outputs)
optimizer = keras.optimizers.SGD(0.01)

features = np.random.default_rng(0).normal(size=(16, 4)).astype("float32")
before = projection.get_weights()[0].copy()
for step in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(features, training=True) - 1.0))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
assert not np.array_equal(before, projection.get_weights()[0])
