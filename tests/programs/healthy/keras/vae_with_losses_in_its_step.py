# A variational autoencoder whose loss is computed from this batch's own tensors.
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class Sampling(layers.Layer):
    def call(self, inputs):
        mean, log_var = inputs
        return mean + tf.exp(0.5 * log_var) * tf.random.normal(tf.shape(mean))


def encoder(width, code):
    x = keras.Input((width,))
    hidden = layers.Dense(16, activation="relu")(x)
    mean, log_var = layers.Dense(code)(hidden), layers.Dense(code)(hidden)
    return keras.Model(x, [mean, log_var, Sampling()([mean, log_var])])


def decoder(width, code):
    z = keras.Input((code,))
    return keras.Model(z, layers.Dense(width, activation="sigmoid")(layers.Dense(16, activation="relu")(z)))


class VAE(keras.Model):
    def __init__(self, width, code):
        super().__init__()
        self.encoder, self.decoder = encoder(width, code), decoder(width, code)
        self.total = keras.metrics.Mean(name="loss")

    @property
    def metrics(self):
        return [self.total]

    def call(self, x):
        return self.decoder(self.encoder(x)[2])

    def train_step(self, data):
        x = data[0] if isinstance(data, tuple) else data
        with tf.GradientTape() as tape:
            mean, log_var, z = self.encoder(x)
            error = tf.reduce_mean(tf.reduce_sum((x - self.decoder(z)) ** 2, axis=-1))
            kl = -0.5 * tf.reduce_mean(tf.reduce_sum(1 + log_var - mean**2 - tf.exp(log_var), axis=-1))
            loss = error + kl
        variables = self.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        self.total.update_state(loss)
        return {"loss": self.total.result()}


x = np.random.default_rng(0).uniform(size=(32, 10)).astype("float32")
vae = VAE(10, 2)
vae.compile(keras.optimizers.Adam())
vae.fit(x, epochs=1, batch_size=8, verbose=0)
print(vae(x[:3]).shape)
