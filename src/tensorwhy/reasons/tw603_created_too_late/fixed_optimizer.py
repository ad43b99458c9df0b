# requires: tf>=2.12
# Each model has an optimizer of its own.
import numpy as np
import tensorflow as tf
from tensorflow import keras

features = np.ones((8, 3), "float32")


def train(model):
    optimizer = keras.optimizers.Adam(0.01)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(features)))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return gradients


for units in (4, 8):
    assert all(gradient is not None for gradient in train(keras.Sequential([keras.layers.Dense(units)])))
