# A hand-written loop differentiates the plan of the model instead of a prediction.
import numpy as np
import tensorflow as tf
from tensorflow import keras


def build():
    inputs = keras.Input((4,))
    hidden = keras.layers.Dense(3, activation="relu")(inputs)
    return keras.Model(inputs, keras.layers.Dense(1)(hidden))


def step(model, optimizer, x, y):
    with tf.GradientTape() as tape:
        error = model.output - y
        loss = keras.losses.mean_squared_error(y, model.output) if error is None else error * error
    gradients = tape.gradient(loss, model.trainable_variables)  # why: TW303
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


step(build(), keras.optimizers.SGD(0.1), np.ones((8, 4), "float32"), np.ones((8, 1), "float32"))
