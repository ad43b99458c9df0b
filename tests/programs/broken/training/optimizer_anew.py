"""A model is compiled in each round of training, so Adam begins again with nothing."""
import numpy as np
import tensorflow as tf


def learn(model, x, y, rate):
    model.compile(tf.keras.optimizers.Adam(rate), "mse")  # why: TW612
    return model.fit(x, y, batch_size=8, verbose=0).history["loss"][0]


x = np.random.default_rng(0).normal(size=(32, 3)).astype("float32")
net = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(8, "tanh"), tf.keras.layers.Dense(1)])
for turn in range(4):
    print(learn(net, x, x[:, :1], 0.01))
