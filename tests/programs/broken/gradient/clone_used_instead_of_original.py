"""The loss is computed with a clone of the model, the gradient is asked for the original.

All are None, and the optimizer raises. Called as `model(x)`, the same step trains.
"""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(64)
rng = np.random.default_rng(64)
x = rng.normal(size=(32, 4)).astype("float32")
y = np.tanh(x[:, :1])

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(8, activation="tanh"), keras.layers.Dense(1)])
best = keras.models.clone_model(model)
best.set_weights(model.get_weights())
optimizer = keras.optimizers.Adam(0.01)
mse = keras.losses.MeanSquaredError()


def evaluate(net):
    return float(mse(y, net(x)))


for epoch in range(3):
    with tf.GradientTape() as tape:
        prediction = best(x, training=True)  # why: TW117
        loss = mse(y, prediction)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    if evaluate(model) < evaluate(best):
        best.set_weights(model.get_weights())
    print(epoch, round(evaluate(best), 4))
