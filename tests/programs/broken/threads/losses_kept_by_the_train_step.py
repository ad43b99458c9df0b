import numpy as np
import tensorflow as tf


class Logging(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(1)
        self.history_of_losses = []

    def call(self, x):
        return self.dense(x)

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self(x) - y))
        self.optimizer.apply_gradients(zip(tape.gradient(loss, self.trainable_variables), self.trainable_variables))
        self.history_of_losses.append(loss)  # why: TW403
        return {"loss": loss}


model = Logging()
model.compile(optimizer="sgd")
x = np.linspace(0, 1, 16, dtype="float32")[:, None]
model.fit(x, 3 * x, batch_size=4, verbose=0)
print(sum(float(tf.sqrt(loss)) for loss in model.history_of_losses))
