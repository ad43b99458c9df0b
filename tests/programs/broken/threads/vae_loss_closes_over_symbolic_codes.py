# requires: keras3
import numpy as np
import tensorflow as tf

images = tf.keras.Input((16,))
hidden = tf.keras.layers.Dense(8, activation="relu")(images)
z_mean = tf.keras.layers.Dense(2, name="z_mean")(hidden)
z_log_var = tf.keras.layers.Dense(2, name="z_log_var")(hidden)
outputs = tf.keras.layers.Dense(16, activation="sigmoid")(z_mean)
vae = tf.keras.Model(images, outputs)


def vae_loss(y_true, y_pred):
    reconstruction = tf.reduce_sum(tf.square(y_true - y_pred), axis=-1)
    kl = -0.5 * tf.reduce_sum(1 + z_log_var - tf.square(z_mean) - tf.exp(z_log_var), axis=-1)  # why: TW303
    return tf.reduce_mean(reconstruction + kl)


vae.compile(optimizer="adam", loss=vae_loss)
x = np.random.default_rng(0).uniform(size=(8, 16)).astype("float32")
vae.fit(x, x, epochs=1, verbose=0)
