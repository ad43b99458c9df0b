# A frozen base inside the model, and a teacher beside it: both are read, and rightly not trained.
import numpy as np
import tensorflow as tf
from tensorflow import keras

base = keras.Sequential([keras.layers.Dense(4, activation="relu")])
base.trainable = False
inputs = keras.Input((3,))
student = keras.Model(inputs, keras.layers.Dense(2)(base(inputs)))
teacher = keras.Sequential([keras.layers.Dense(2)])


class Distiller(keras.Model):
    def __init__(self, student, teacher):
        super().__init__()
        self.student = student
        self.teacher = teacher
        self.teacher.trainable = False

    def call(self, x):
        return self.student(x)

    def train_step(self, data):
        x, _ = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.teacher(x) - self.student(x, training=True)))
        gradients = tape.gradient(loss, self.student.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.student.trainable_variables))
        return {"loss": loss}


x = np.random.default_rng(0).normal(size=(16, 3)).astype("float32")
teacher(x)
distiller = Distiller(student, teacher)
distiller.compile("sgd")
distiller.fit(x, x[:, :2], epochs=1, verbose=0)
