import numpy as np
import tensorflow as tf


def quadratic_weights(classes):
    positions = tf.range(classes, dtype=tf.float32)
    return tf.square(positions[:, None] - positions[None, :]) / float((classes - 1) ** 2)


def kappa_loss(y_true, y_pred):
    classes = 4
    truth = tf.argmax(y_true, axis=1)
    guess = tf.argmax(y_pred, axis=1)
    observed = tf.math.confusion_matrix(truth, guess, num_classes=classes, dtype=tf.float32)  # why: TW108
    expected = tf.tensordot(tf.reduce_sum(observed, 1), tf.reduce_sum(observed, 0), axes=0) / tf.reduce_sum(observed)
    weights = quadratic_weights(classes)
    return tf.reduce_sum(weights * observed) / (tf.reduce_sum(weights * expected) + 1e-6)


rng = np.random.default_rng(0)
x = rng.normal(size=(32, 6)).astype("float32")
y = tf.keras.utils.to_categorical(rng.integers(0, 4, 32), 4)
model = tf.keras.Sequential([tf.keras.Input((6,)), tf.keras.layers.Dense(4, activation="softmax")])
model.compile("adam", kappa_loss)
model.fit(x, y, batch_size=32, verbose=0)
