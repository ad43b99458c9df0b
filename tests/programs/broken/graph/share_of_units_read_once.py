"""A callback keeps fewer and fewer units, but how many there are was computed once, while the layer was traced."""
import keras
import numpy as np
import tensorflow as tf


class Strongest(keras.layers.Layer):
    def __init__(self, share):
        super().__init__()
        self.share = share

    def call(self, x):
        count = int(self.share * x.shape[-1])  # why: TW122
        least = tf.math.top_k(x, count).values[:, -1:]
        return tf.where(x >= least, x, tf.zeros_like(x))


class Fewer(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        self.model.layers[1].share *= 0.7


x = np.random.default_rng(4).normal(size=(64, 6)).astype("float32")
model = keras.Sequential([keras.layers.Dense(20), Strongest(0.8), keras.layers.Dense(2, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(x, (x[:, 0] > 0).astype("int32"), epochs=4, batch_size=16, callbacks=[Fewer()], verbose=0)
