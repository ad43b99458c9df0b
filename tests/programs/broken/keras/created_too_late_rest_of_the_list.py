# The backbone has its weights when the list is taken; the head gets them in the first step.
import tensorflow as tf
from tensorflow import keras


def pretrained():
    backbone = keras.Sequential([keras.Input((6,)), keras.layers.Dense(12, activation="relu")])
    return backbone


class Grader(keras.Model):
    def __init__(self, backbone):
        super().__init__()
        self.backbone = backbone
        self.drop = keras.layers.Dropout(0.1)
        self.grade = keras.layers.Dense(1)

    def call(self, x, training=False):
        return self.grade(self.drop(self.backbone(x), training=training))


class FineTuning:
    def __init__(self, model, rate):
        self.model = model
        self.optimizer = keras.optimizers.SGD(rate)
        self.weights = self.model.trainable_variables  # why: TW603

    def gradients(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(x, training=True) - y))
        return loss, tape.gradient(loss, self.weights)

    @tf.function
    def step(self, x, y):
        loss, gradients = self.gradients(x, y)
        self.optimizer.apply_gradients(zip(gradients, self.weights))
        return loss


def run(epochs):
    tuning = FineTuning(Grader(pretrained()), 0.05)
    x = tf.random.stateless_normal([16, 6], [1, 2])
    for _ in range(epochs):
        loss = tuning.step(x, x[:, :1])
    return loss


print(run(6).shape)
