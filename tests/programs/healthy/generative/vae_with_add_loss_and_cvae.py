"""Two VAEs: one whose layers call add_loss and train with fit, one trained by a tape on a Monte-Carlo bound."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(26)
x = (np.random.default_rng(26).uniform(size=(32, 10)) > 0.5).astype("float32")


class Encoder(layers.Layer):
    def __init__(self, latent=2):
        super().__init__()
        self.proj = layers.Dense(8, activation="relu")
        self.mean, self.log_var = layers.Dense(latent), layers.Dense(latent)

    def call(self, inputs):
        h = self.proj(inputs)
        mean, log_var = self.mean(h), self.log_var(h)
        self.add_loss(-0.5 * tf.reduce_mean(log_var - tf.square(mean) - tf.exp(log_var) + 1))
        return mean + tf.exp(0.5 * log_var) * tf.random.normal(tf.shape(mean))


class AddLossVAE(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.encoder = Encoder()
        self.decoder = tf.keras.Sequential([layers.Dense(8, activation="relu"), layers.Dense(10, activation="sigmoid")])

    def call(self, inputs):
        return self.decoder(self.encoder(inputs))


vae = AddLossVAE()
vae.compile("adam", tf.keras.losses.MeanSquaredError())
print(len(vae.fit(x, x, epochs=2, batch_size=16, verbose=0).history["loss"]))


class CVAE(tf.keras.Model):
    def __init__(self, latent):
        super().__init__()
        self.latent = latent
        self.encoder = tf.keras.Sequential([layers.Dense(8, "relu"), layers.Dense(2 * latent)])
        self.decoder = tf.keras.Sequential([layers.Dense(8, "relu"), layers.Dense(10)])

    @tf.function
    def sample(self, eps=None):
        if eps is None:
            eps = tf.random.normal(shape=(4, self.latent))
        return self.decode(eps, apply_sigmoid=True)

    def encode(self, x):
        return tf.split(self.encoder(x), num_or_size_splits=2, axis=1)

    def reparameterize(self, mean, logvar):
        return tf.random.normal(shape=tf.shape(mean)) * tf.exp(logvar * 0.5) + mean

    def decode(self, z, apply_sigmoid=False):
        logits = self.decoder(z)
        return tf.sigmoid(logits) if apply_sigmoid else logits


def log_normal_pdf(sample, mean, logvar):
    return tf.reduce_sum(-0.5 * ((sample - mean) ** 2.0 * tf.exp(-logvar) + logvar + tf.math.log(2.0 * np.pi)), axis=1)


def compute_loss(model, x):
    mean, logvar = model.encode(x)
    z = model.reparameterize(mean, logvar)
    logits = model.decode(z)
    logpx_z = -tf.reduce_sum(tf.nn.sigmoid_cross_entropy_with_logits(logits=logits, labels=x), axis=1)
    return -tf.reduce_mean(logpx_z + log_normal_pdf(z, 0.0, 0.0) - log_normal_pdf(z, mean, logvar))


model = CVAE(2)
model.encoder(x[:1]), model.decoder(tf.zeros((1, 2)))
optimizer = tf.keras.optimizers.Adam(1e-3)


@tf.function
def train_step(model, x, optimizer):
    with tf.GradientTape() as tape:
        loss = compute_loss(model, x)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for batch in tf.data.Dataset.from_tensor_slices(x).batch(16):
    train_step(model, batch, optimizer)
print(model.sample().shape, model.sample(tf.zeros((3, 2))).shape)
