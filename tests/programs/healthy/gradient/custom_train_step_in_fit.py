"""A Keras model with a `train_step` of its own, trained by fit, with metrics and regularisation losses."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(114)
rng = np.random.default_rng(114)


class CustomModel(keras.Model):
    def __init__(self):
        super().__init__()
        self.first = keras.layers.Dense(8, activation="relu", kernel_regularizer=keras.regularizers.L2(1e-3))
        self.second = keras.layers.Dense(1)
        self.loss_tracker = keras.metrics.Mean(name="loss")
        self.mae_metric = keras.metrics.MeanAbsoluteError(name="mae")

    def call(self, inputs, training=False):
        return self.second(self.first(inputs))

    @property
    def metrics(self):
        return [self.loss_tracker, self.mae_metric]

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            y_pred = self(x, training=True)
            loss = tf.reduce_mean(tf.square(y - y_pred)) + tf.add_n(self.losses)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        self.loss_tracker.update_state(loss)
        self.mae_metric.update_state(y, y_pred)
        return {"loss": self.loss_tracker.result(), "mae": self.mae_metric.result()}


x = rng.normal(size=(64, 3)).astype("float32")
y = x.sum(axis=1, keepdims=True)
model = CustomModel()
model.compile(optimizer=keras.optimizers.Adam(0.01))
history = model.fit(x, y, epochs=3, batch_size=32, verbose=0)
print([round(float(v), 3) for v in history.history["loss"]], [round(float(v), 3) for v in history.history["mae"]])
