# The encoder runs in one branch only; its activity loss is summed behind the branch.
import numpy as np
import tensorflow as tf
from tensorflow import keras


class Encoder(keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.dense = keras.layers.Dense(units, activity_regularizer=keras.regularizers.L2(0.1))

    def call(self, inputs):
        return self.dense(inputs)  # why: TW403


class SemiSupervised(keras.Model):
    def __init__(self):
        super().__init__()
        self.encoder = Encoder(4)
        self.head = keras.layers.Dense(1)

    def call(self, inputs):
        return self.head(self.encoder(inputs))

    def error(self, x, y):
        return tf.reduce_mean(tf.square(self(x, training=True) - y))

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            labelled = tf.reduce_any(y >= 0.0)
            loss = tf.cond(labelled, lambda: self.error(x, y), lambda: 0.0)
            loss += sum(self.losses)
        variables = self.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return {"loss": loss}


model = SemiSupervised()
model(np.zeros((1, 3), "float32"))
model.compile("sgd")
model.fit(np.ones((8, 3), "float32"), np.ones((8, 1), "float32"), epochs=1, verbose=0)
