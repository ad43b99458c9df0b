"""A Python flag is read while the step is traced: switched on after the first epoch, it changes nothing.

The prior's parameters, used only under the flag, get None in every step and Keras warns; traced with the flag on (or
with a tf.Variable as the weight) they get gradients.
"""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(79)
rng = np.random.default_rng(79)
data = tf.constant(rng.normal(size=(32, 5)), tf.float32)


class Trainer:
    def __init__(self):
        self.encoder = tf.keras.layers.Dense(3)
        self.decoder = tf.keras.layers.Dense(5)
        self.prior_mean = tf.Variable(tf.ones([3]), name="prior_mean")
        self.use_prior = False
        self.optimizer = tf.keras.optimizers.Adam(0.01)
        self.decoder(self.encoder(data))

    @tf.function
    def step(self, batch):
        with tf.GradientTape() as tape:
            code = self.encoder(batch)
            loss = tf.reduce_mean((self.decoder(code) - batch) ** 2)
            if self.use_prior:  # why: TW122
                loss += tf.reduce_mean((code - self.prior_mean) ** 2)
        variables = self.encoder.trainable_variables + self.decoder.trainable_variables + [self.prior_mean]
        gradients = tape.gradient(loss, variables)
        self.optimizer.apply_gradients(zip(gradients, variables))
        return loss


trainer = Trainer()
for epoch in range(3):
    if epoch == 1:
        trainer.use_prior = True
    loss = trainer.step(data)
    print(epoch, round(float(loss), 4), trainer.prior_mean.numpy())
