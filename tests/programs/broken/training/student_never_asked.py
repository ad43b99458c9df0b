"""Distillation in which the teacher is asked twice: the student, whose variables are trained, takes no part."""

import numpy as np
import tensorflow as tf

tf.random.set_seed(15)


def network(width):
    return tf.keras.Sequential(
        [tf.keras.Input((6,)), tf.keras.layers.Dense(width, activation="relu"), tf.keras.layers.Dense(3)]
    )


class Distiller(tf.keras.Model):
    def __init__(self, student, teacher):
        super().__init__()
        self.student, self.teacher = student, teacher

    def call(self, x):
        return self.student(x)

    def difference(self, labels, ours, theirs):
        hard = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=ours)
        soft = tf.nn.softmax_cross_entropy_with_logits(labels=tf.nn.softmax(theirs), logits=ours)
        return tf.reduce_mean(0.2 * hard + 0.8 * soft)

    def train_step(self, data):
        x, labels = data
        theirs = self.teacher(x, training=False)
        with tf.GradientTape() as tape:
            ours = self.teacher(x, training=True)
            loss = self.difference(labels, ours, theirs)  # why: TW115
        weights = self.student.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
        return {"loss": loss}


rng = np.random.default_rng(0)
x, labels = rng.normal(size=(64, 6)).astype("float32"), rng.integers(0, 3, 64)
distiller = Distiller(network(4), network(16))
distiller.compile(tf.keras.optimizers.Adam())
distiller.fit(x, labels, epochs=1, verbose=0)
