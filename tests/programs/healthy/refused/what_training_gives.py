"""A step unpacks what there is, a callback looks for names that exist, and a missing name is expected elsewhere."""

import numpy as np
import tensorflow as tf


class Step(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.line = tf.keras.layers.Dense(1)

    def call(self, features):
        return self.line(features)

    def train_step(self, data):
        try:
            features, wanted = data
        except ValueError:
            features, wanted, _ = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self(features, training=True) - wanted))
        slopes = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(slopes, self.trainable_variables))
        return {"loss": loss}


class Last(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        try:
            self.seen = logs["val_loss"]
        except KeyError:
            self.seen = logs["loss"]


x = np.random.default_rng(0).normal(size=(32, 4)).astype("float32")
model = Step()
model.compile("sgd")
last = Last()
model.fit(x, x[:, :1], sample_weight=np.ones(32, "float32"), epochs=2, callbacks=[last], verbose=0)
print(last.seen < 100)
