"""A face recogniser is trained with the labels as a second input, and then asked without them."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import Model, layers


class ArcFace(layers.Layer):
    def __init__(self, classes, s=30.0, m=0.5, **kwargs):
        super().__init__(**kwargs)
        self.classes, self.s, self.m = classes, s, m

    def build(self, input_shape):
        self.W = self.add_weight(name="W", shape=(input_shape[0][-1], self.classes), initializer="glorot_uniform")

    def call(self, inputs):
        x, y = inputs
        logits = tf.nn.l2_normalize(x, axis=1) @ tf.nn.l2_normalize(self.W, axis=0)
        theta = tf.acos(tf.clip_by_value(logits, -0.999, 0.999))
        target = tf.cos(theta + self.m)
        return tf.nn.softmax(self.s * (logits * (1 - y) + target * y))


def network(classes):
    image = layers.Input((8, 8, 1))
    label = layers.Input((classes,))
    x = layers.Conv2D(8, 3, activation="relu")(image)
    x = layers.BatchNormalization()(x)
    x = layers.Dense(16)(layers.Flatten()(x))
    return Model([image, label], ArcFace(classes, name="arcface")([x, label]))


def predictor(arcface_model):
    return Model(inputs=arcface_model.input[0], outputs=arcface_model.output)  # why: TW305


def main():
    model = network(4)
    model.compile("adam", "categorical_crossentropy")
    images = np.random.rand(16, 8, 8, 1).astype("float32")
    labels = np.eye(4, dtype="float32")[np.random.randint(0, 4, 16)]
    model.fit([images, labels], labels, verbose=0)
    print(predictor(model).predict(images, verbose=0).argmax(1))


main()
