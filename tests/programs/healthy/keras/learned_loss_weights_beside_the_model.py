# Variables outside the model are trained beside it, by the same gradient call or by another one.
import numpy as np
import tensorflow as tf
from tensorflow import keras

log_variance = tf.Variable(0.0)
log_alpha = tf.Variable(0.0)
model = keras.Sequential([keras.layers.Dense(4), keras.layers.Dense(1)])
x = np.ones((8, 3), "float32")
model(x)
for _ in range(3):
    with tf.GradientTape() as tape:
        error = tf.reduce_mean(tf.square(model(x) - 1.0))
        loss = error * tf.exp(-log_variance) + log_variance
    sources = [*model.trainable_variables, log_variance]
    for variable, gradient in zip(sources, tape.gradient(loss, sources)):
        variable.assign_sub(0.01 * gradient)
    with tf.GradientTape(persistent=True) as tape:
        loss = tf.reduce_mean(model(x)) * tf.exp(log_alpha)
    tape.gradient(loss, model.trainable_variables)
    log_alpha.assign_sub(0.01 * tape.gradient(loss, log_alpha))
assert log_alpha.numpy() != 0.0
