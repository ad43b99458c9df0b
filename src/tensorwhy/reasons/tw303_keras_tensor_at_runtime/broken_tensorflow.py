# A loss that penalises hidden activations, taken from the model's plan.
import numpy as np
import tensorflow as tf
from tensorflow import keras

inputs = keras.Input((4,))
hidden = keras.layers.Dense(8, activation="relu")(inputs)
outputs = keras.layers.Dense(1)(hidden)
model = keras.Model(inputs, outputs)


def sparse_loss(y_true, y_pred):
    error = tf.reduce_mean(tf.square(y_true - y_pred))
    penalty = tf.reduce_mean(tf.abs(hidden))  # why: TW303
    return error + 0.01 * penalty


model.compile(optimizer="sgd", loss=sparse_loss)
model.fit(np.ones((8, 4), "float32"), np.ones((8, 1), "float32"), verbose=0)
