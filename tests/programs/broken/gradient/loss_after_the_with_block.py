"""The prediction is recorded, the loss is computed after the `with` ended: every gradient is None, and SGD raises.

Indented by one level, the loss line gives gradients.
"""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(8)
tf.keras.utils.set_random_seed(8)

x_train = rng.uniform(-1, 1, size=(80, 3)).astype("float32")
y_train = (x_train**2).sum(axis=1, keepdims=True)


class Regressor(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden = tf.keras.layers.Dense(16, activation="tanh")
        self.out = tf.keras.layers.Dense(1)

    def call(self, inputs):
        return self.out(self.hidden(inputs))


model = Regressor()
optimizer = tf.keras.optimizers.SGD(0.05)
mse = tf.keras.losses.MeanSquaredError()

for epoch in range(3):
    for start in range(0, len(x_train), 20):
        xb = x_train[start : start + 20]
        yb = y_train[start : start + 20]
        with tf.GradientTape() as tape:
            prediction = model(xb)
        loss = mse(yb, prediction)  # why: TW102
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
    print(f"epoch {epoch}: {loss.numpy():.4f}")
