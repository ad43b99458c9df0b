"""A callback asks itself for what its model has."""
import tensorflow as tf


class Watcher(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        print(self.predict(tf.ones((1, 2))))  # why: TW701


model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(tf.ones((4, 2)), tf.ones((4, 1)), verbose=0, callbacks=[Watcher()])
