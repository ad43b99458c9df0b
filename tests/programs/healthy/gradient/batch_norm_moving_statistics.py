"""Moving statistics are changed by the forward pass, not by gradients: they are not among the trained variables."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(122)
rng = np.random.default_rng(122)
x = rng.normal(3.0, 2.0, size=(64, 4)).astype("float32")
y = x[:, :1] ** 2 / 10.0
inputs = tf.keras.Input((4,))
h = tf.keras.layers.BatchNormalization()(inputs)
h = tf.keras.layers.Dense(8, activation="relu")(h)
h = tf.keras.layers.BatchNormalization(center=False)(h)
model = tf.keras.Model(inputs, tf.keras.layers.Dense(1)(h))
optimizer = tf.keras.optimizers.SGD(0.01)

for epoch in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    print(epoch, round(float(loss), 3))
print(len(model.variables), len(model.trainable_variables), len(model.non_trainable_variables))
print("moving mean", np.round(model.layers[1].moving_mean.numpy(), 2).tolist())
