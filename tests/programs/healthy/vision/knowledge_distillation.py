"""A Distiller model: a frozen teacher, a student, temperature-softened targets, custom train and test steps."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(10)
rng = np.random.default_rng(10)
x, y = rng.normal(size=(48, 10)).astype("float32"), rng.integers(0, 4, size=48)


class Distiller(keras.Model):
    def __init__(self, student, teacher):
        super().__init__()
        self.teacher = teacher
        self.student = student
        self.teacher.trainable = False

    def compile(self, optimizer, student_loss_fn, distillation_loss_fn, alpha=0.1, temperature=3):
        super().compile(optimizer=optimizer)
        self.student_loss_fn = student_loss_fn
        self.distillation_loss_fn = distillation_loss_fn
        self.alpha = alpha
        self.temperature = temperature
        self.accuracy = keras.metrics.SparseCategoricalAccuracy(name="accuracy")

    def call(self, inputs, training=False):
        return self.student(inputs, training=training)

    def train_step(self, data):
        inputs, targets = data
        teacher_logits = self.teacher(inputs, training=False)
        with tf.GradientTape() as tape:
            student_logits = self.student(inputs, training=True)
            student_loss = self.student_loss_fn(targets, student_logits)
            distillation = self.distillation_loss_fn(
                tf.nn.softmax(teacher_logits / self.temperature, axis=1),
                tf.nn.softmax(student_logits / self.temperature, axis=1),
            )
            loss = self.alpha * student_loss + (1 - self.alpha) * distillation * self.temperature**2
        grads = tape.gradient(loss, self.student.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.student.trainable_variables))
        self.accuracy.update_state(targets, student_logits)
        return {"accuracy": self.accuracy.result(), "student_loss": student_loss, "distillation_loss": distillation}

    def test_step(self, data):
        inputs, targets = data
        self.accuracy.update_state(targets, self.student(inputs, training=False))
        return {"accuracy": self.accuracy.result()}


def net(width):
    return keras.Sequential([keras.Input((10,)), keras.layers.Dense(width, activation="relu"), keras.layers.Dense(4)])


teacher, student = net(32), net(4)
teacher.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
teacher.fit(x, y, epochs=2, verbose=0)
frozen = [w.copy() for w in teacher.get_weights()]
distiller = Distiller(student, teacher)
distiller.compile(
    keras.optimizers.Adam(), keras.losses.SparseCategoricalCrossentropy(from_logits=True), keras.losses.KLDivergence()
)
history = distiller.fit(x, y, epochs=2, verbose=0)
distiller.evaluate(x, y, verbose=0)
print(sorted(history.history), all((a == b).all() for a, b in zip(frozen, teacher.get_weights())))
