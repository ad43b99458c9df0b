# The base is called in inference mode by the model, and trained by a loop that says `training=True`.
import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(1)
layers = [keras.layers.Dense(8, activation="relu"), keras.layers.BatchNormalization(), keras.layers.Dense(4)]
base = keras.Sequential(layers)
inputs = keras.Input((6,))
model = keras.Model(inputs, keras.layers.Dense(3)(base(inputs, training=False)))
loss_of = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
x = np.random.default_rng(0).normal(size=(96, 6)).astype("float32")
y = np.argmax(x[:, :3], axis=1)
optimizer = keras.optimizers.SGD(0.1)


@tf.function
def step(batch, labels):
    with tf.GradientTape() as tape:
        loss = loss_of(labels, model(batch, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for start in range(0, 96, 16):
    step(x[start : start + 16], y[start : start + 16])
