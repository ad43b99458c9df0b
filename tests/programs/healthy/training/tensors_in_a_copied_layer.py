# requires: tf_keras
"""A step of a meta learner computes with tensors in the layers of a copy, and asks for the gradient of the model."""

import numpy as np
import tensorflow as tf
import tf_keras as keras


def network():
    return keras.Sequential([keras.layers.Dense(1, input_shape=(2,))])


def loss_of(one):
    return tf.reduce_mean(tf.square(one(data) - 1.0))


model, copy = network(), network()
data = np.random.default_rng(0).random((8, 2)).astype("float32")
optimizer = keras.optimizers.SGD(0.1)
for _ in range(3):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            loss = loss_of(model)
        gradients = inner.gradient(loss, model.trainable_variables)
        for name, gradient in zip(("kernel", "bias"), gradients):
            setattr(copy.layers[0], name, getattr(model.layers[0], name) - 0.1 * gradient)
        loss = loss_of(copy)
    optimizer.apply_gradients(zip(outer.gradient(loss, model.trainable_variables), model.trainable_variables))
    print(float(loss))
