# requires: keras3
import tensorflow as tf

LATENT = 2


class Sampling(tf.keras.layers.Layer):
    def call(self, inputs):
        mean, log_variance = inputs
        return mean + tf.exp(0.5 * log_variance) * tf.random.normal(tf.shape(mean))


def build_vae():
    images = tf.keras.Input((16,))
    hidden = tf.keras.layers.Dense(8, activation="relu")(images)
    mean = tf.keras.layers.Dense(LATENT)(hidden)
    log_variance = tf.keras.layers.Dense(LATENT)(hidden)
    code = Sampling()([mean, log_variance])
    outputs = tf.keras.layers.Dense(16, activation="sigmoid")(code)
    vae = tf.keras.Model(images, outputs)
    kl = 1 + log_variance - tf.square(mean) - tf.exp(log_variance)  # why: TW302
    vae.add_loss(-0.5 * tf.reduce_mean(tf.reduce_sum(kl, axis=-1)))
    return vae


vae = build_vae()
vae.compile("adam", "mse")
