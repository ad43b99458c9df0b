"""A learning-rate finder as a callback that restores the weights, a cosine schedule, and logging of gradient norms."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(54)
rng = np.random.default_rng(54)
x = rng.normal(size=(64, 5)).astype("float32")
y = (x**2).sum(axis=1, keepdims=True)
model = keras.Sequential([keras.Input((5,)), keras.layers.Dense(8, activation="elu"), keras.layers.Dense(1)])
model.compile(keras.optimizers.SGD(1e-5, momentum=0.9), "mse")


class LRFinder(keras.callbacks.Callback):
    def __init__(self, start, end, steps):
        super().__init__()
        self.rates = np.geomspace(start, end, steps)
        self.losses = []

    def set(self, value):
        rate = self.model.optimizer.learning_rate
        rate.assign(value)

    def on_train_begin(self, logs=None):
        self.saved, self.step = self.model.get_weights(), 0
        self.set(self.rates[0])

    def on_train_batch_end(self, batch, logs=None):
        self.losses.append(logs["loss"])
        self.step += 1
        if self.step >= len(self.rates) or not np.isfinite(self.losses[-1]):
            self.model.stop_training = True
            return
        self.set(self.rates[self.step])

    def on_train_end(self, logs=None):
        self.model.set_weights(self.saved)


class Norms(keras.callbacks.Callback):
    def __init__(self):
        super().__init__()
        self.norms = []

    def on_epoch_end(self, epoch, logs=None):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self.model(x[:8]) - y[:8]) ** 2)
        self.norms.append(float(tf.linalg.global_norm(tape.gradient(loss, self.model.trainable_weights))))


before = [w.copy() for w in model.get_weights()]
finder = LRFinder(1e-5, 1e-2, 10)
model.fit(x, y, epochs=2, batch_size=8, verbose=0, callbacks=[finder])
print(len(finder.losses) >= 10, all((a == b).all() for a, b in zip(before, model.get_weights())))
norms = Norms()
schedule = keras.callbacks.LearningRateScheduler(lambda epoch, lr: 1e-3 * (1 + np.cos(np.pi * epoch / 3)) / 2)
plateau = keras.callbacks.ReduceLROnPlateau(monitor="loss", patience=1)
model.fit(
    x, y, epochs=3, batch_size=16, verbose=0, callbacks=[schedule, norms, plateau, keras.callbacks.TerminateOnNaN()]
)
print(len(norms.norms), all(n > 0 for n in norms.norms))
