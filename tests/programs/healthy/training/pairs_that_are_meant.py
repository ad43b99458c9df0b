"""Losses over pairs: every axis is written out, or comes from what the model owns, or more than a mean is made of it."""
import numpy as np
import tensorflow as tf

generator = np.random.default_rng(3)
inputs = generator.normal(size=(16, 3)).astype("float32")
labels = generator.normal(size=16).astype("float32")
levels = np.linspace(0.05, 0.95, 16).astype("float32")
model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="tanh"), tf.keras.layers.Dense(1)])
centers = tf.Variable(tf.random.normal((16, 1), seed=1))
optimizer = tf.keras.optimizers.SGD(0.001)


@tf.function
def train(x, y):
    with tf.GradientTape() as tape:
        given = model(x, training=True)
        ranked = tf.reduce_mean(tf.nn.relu(1.0 - (given[:, 0][:, tf.newaxis] - y)))
        distances = tf.reduce_mean(tf.square(tf.transpose(given) - y[:, tf.newaxis]))
        kernels = tf.reduce_mean(tf.exp(-tf.square(y - centers)))
        error = y[:, tf.newaxis] - given
        quantiles = tf.reduce_mean(tf.maximum(levels * error, (levels - 1.0) * error))
        shares = tf.reduce_sum(tf.square(tf.nn.softmax(given * y)))
        kept = tf.reduce_mean(tf.square(tf.reduce_sum(given * x, axis=1, keepdims=True) - y))
        loss = ranked + distances + kernels + quantiles + shares + kept
    trained = [*model.trainable_variables, centers]
    optimizer.apply_gradients(zip(tape.gradient(loss, trained), trained))


for step in range(3):
    train(inputs, labels)
for step in range(3):
    with tf.GradientTape() as tape:
        error = labels[:, tf.newaxis] - model(inputs)
        spelled_out = tf.constant([float(each) for each in levels])
        loss = tf.reduce_mean(tf.maximum(spelled_out * error, (spelled_out - 1.0) * error))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
