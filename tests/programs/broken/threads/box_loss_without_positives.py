"""A detection loss that gives up when no anchor is positive."""

import numpy as np
import tensorflow as tf


class Rpn(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.shared = tf.keras.layers.Dense(16, activation="tanh")
        self.classes = tf.keras.layers.Dense(1)
        self.boxes = tf.keras.layers.Dense(4)

    def call(self, x):
        h = self.shared(x)
        return self.classes(h), self.boxes(h)


def class_loss(truth, scores):
    return tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=truth, logits=scores))


def box_loss(truth, wanted, boxes):
    positive = np.where(truth[:, 0] > 0.5)[0]
    if len(positive) == 0:  # why: TW114
        return tf.constant(0.0)
    return tf.reduce_mean(tf.abs(tf.gather(boxes, positive) - tf.gather(wanted, positive)))


model = Rpn()
optimizer = tf.keras.optimizers.Adam(1e-3)
features = np.random.default_rng(1).normal(size=(8, 10)).astype("float32")
truth = np.zeros((8, 1), "float32")
wanted = np.zeros((8, 4), "float32")
for step in range(2):
    with tf.GradientTape() as tape:
        scores, boxes = model(features)
        loss = class_loss(truth, scores) + box_loss(truth, wanted, boxes)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
