import numpy as np
import tensorflow as tf

features = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="relu")])
features.build((None, 2))


def perceptual(y_true, y_pred):
    return tf.reduce_mean(tf.square(distance(y_true, y_pred)))


def distance(one, other):
    return features.predict(one) - features.predict(other)  # why: TW406


model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
model.compile("sgd", perceptual)
x = np.ones((8, 2), "float32")
model.fit(x, x, epochs=1, verbose=0)
