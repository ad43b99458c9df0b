# requires: tf_keras
"""An update puts tensors over the weights of a layer: the second step asks for the gradient of an empty list."""

import numpy as np
import tensorflow as tf
import tf_keras as keras

model = keras.Sequential([keras.layers.Dense(1, input_shape=(2,))])
data = np.random.default_rng(0).random((8, 2)).astype("float32")


def update(layer, gradients):
    for name, gradient in zip(("kernel", "bias"), gradients):
        setattr(layer, name, getattr(layer, name) - 0.1 * gradient)  # why: TW112


for step in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(data) - 1.0))
    update(model.layers[0], tape.gradient(loss, model.trainable_variables))
    print(step, float(loss))
