# requires: tf>=2.12
# One optimizer is used for two models, one after the other.
import numpy as np
import tensorflow as tf
from tensorflow import keras

optimizer = keras.optimizers.Adam(0.01)  # why: TW603
features = np.ones((8, 3), "float32")


def train(model):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(features)))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


for units in (4, 8):
    train(keras.Sequential([keras.layers.Dense(units), keras.layers.Dense(1)]))
