"""Settings that go well together, each of which is wrong beside others: schedules, states, closures, logits."""

import keras
import numpy as np
import tensorflow as tf

keras.utils.set_random_seed(5)
x = np.random.default_rng(1).normal(size=(48, 6, 3)).astype("float32")
y = (x[:, 0, :1] > 0).astype("float32")


def slower(epoch, rate):
    return rate * 0.9  # from what it is, whatever the epoch


def halved(epoch):
    return 0.1 / (1 + epoch)


class Weighed(keras.Model):
    def __init__(self):
        super().__init__()
        self.one, self.two = keras.layers.Dense(1), keras.layers.Dense(1)

    def call(self, x):
        flat = x[:, 0]
        return [self.one(flat), self.two(flat)]

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = self.compute_loss(x=x, y=y, y_pred=self(x, training=True))
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {"loss": loss}


weighed = Weighed()
weighed.compile("sgd", loss=["mse", "mse"], loss_weights=[1.0, 0.25])
weighed.fit(x, (y, y), epochs=3, verbose=0)

series = keras.Sequential([keras.Input((6, 3), batch_size=8), keras.layers.GRU(4, stateful=True)])
series.add(keras.layers.Dense(1))
series.compile(
    "sgd", keras.losses.BinaryCrossentropy(from_logits=True), metrics=[keras.metrics.BinaryAccuracy(threshold=0.0)]
)
series.fit(x, y, batch_size=8, epochs=2, shuffle=False, verbose=0)
whole = keras.Sequential(
    [keras.Input((6, 3), batch_size=48), keras.layers.GRU(4, stateful=True), keras.layers.Dense(1)]
)
whole.compile("sgd", "mse")
whole.fit(x, y, batch_size=48, epochs=2, verbose=0)

inputs = keras.Input((6, 3))
scale = 2.0
columns = []
for number in range(3):
    columns.append(keras.layers.Lambda(lambda t, n=number: t[:, 0, n : n + 1], output_shape=(1,))(inputs))
    columns.append(keras.layers.Lambda(lambda t: scale * t[:, 0, :1], output_shape=(1,))(inputs))
outputs = keras.layers.Dense(1, activation="sigmoid")(keras.layers.Concatenate()(columns))
picked = keras.Model(inputs, outputs)
picked.compile(keras.optimizers.SGD(0.1), "binary_crossentropy", metrics=["accuracy"])
for lap in range(4):
    picked.fit(
        x, y, initial_epoch=lap, epochs=lap + 1, callbacks=[keras.callbacks.LearningRateScheduler(halved)], verbose=0
    )
for lap in range(4):
    picked.fit(x, y, callbacks=[keras.callbacks.LearningRateScheduler(slower)], verbose=0)
print("done")

for fold in range(4):  # one epoch for each of several models
    part = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(1, activation="sigmoid")])
    part.compile(keras.optimizers.SGD(0.1), "binary_crossentropy")
    part.fit(x[fold::4], y[fold::4], callbacks=[keras.callbacks.LearningRateScheduler(halved)], verbose=0)
print("folds")
