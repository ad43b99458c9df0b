# A layer of the module's globals is called from `call` of a subclassed model.
import numpy as np
import tensorflow as tf
from tensorflow import keras

shared_projection = keras.layers.Dense(6, activation="relu")  # why: TW601


class Scorer(keras.Model):
    def __init__(self):
        super().__init__()
        self.embed = lambda x: shared_projection(x)
        self.head = keras.layers.Dense(1)

    def call(self, x):
        return self.head(self.embed(x))


class Experiment:
    def __init__(self):
        self.model = Scorer()
        self.optimizer = keras.optimizers.Adam(0.01)

    @tf.function
    def step(self, x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(x) - 1.0))
        variables = self.model.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss


data = tf.constant(np.random.default_rng(0).normal(size=(16, 4)), tf.float32)
experiment = Experiment()
experiment.model(data)
for _ in range(3):
    experiment.step(data)
