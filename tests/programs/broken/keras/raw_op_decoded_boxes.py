# requires: keras3
# The boxes of a detector are decoded inside the functional model, as with Keras 2.
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

ANCHORS = np.array([[10, 13], [16, 30], [33, 23]], "float32")


def darknet_conv(x, filters, size, strides=1):
    x = layers.Conv2D(filters, size, strides=strides, padding="same", use_bias=False)(x)
    x = layers.BatchNormalization()(x)
    return layers.LeakyReLU()(x)


def head(x, anchors, classes):
    x = darknet_conv(x, 16, 3)
    x = layers.Conv2D(len(anchors) * (5 + classes), 1)(x)
    _, height, width, _ = x.shape
    return layers.Reshape((height, width, len(anchors), 5 + classes))(x)


def decode(raw, anchors, classes):
    xy, wh, objectness, scores = tf.split(raw, (2, 2, 1, classes), axis=-1)  # why: TW302
    xy = tf.sigmoid(xy)
    wh = tf.exp(wh) * anchors
    return tf.concat([xy - wh / 2, xy + wh / 2, tf.sigmoid(objectness), tf.sigmoid(scores)], axis=-1)


def detector(size, classes, training):
    image = keras.Input((size, size, 3))
    x = darknet_conv(image, 8, 3, strides=2)
    x = darknet_conv(x, 16, 3, strides=2)
    raw = head(x, ANCHORS, classes)
    if training:
        return keras.Model(image, raw)
    return keras.Model(image, decode(raw, ANCHORS, classes))


train_model = detector(32, 3, training=True)
eval_model = detector(32, 3, training=False)
eval_model.set_weights(train_model.get_weights())
