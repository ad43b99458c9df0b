import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class Sampling(layers.Layer):
    def call(self, inputs):
        mean, log_var = inputs
        noise = tf.random.normal(tf.shape(mean))
        return mean + tf.exp(0.5 * log_var) * noise


class VariationalAutoencoder:
    def __init__(self, width, code):
        inputs = keras.Input((width,))
        x = layers.Dense(16, activation="relu")(inputs)
        self.z_mean = layers.Dense(code)(x)
        self.z_log_var = layers.Dense(code)(x)
        z = Sampling()([self.z_mean, self.z_log_var])
        x = layers.Dense(16, activation="relu")(z)
        outputs = layers.Dense(width, activation="sigmoid")(x)
        self.model = keras.Model(inputs, outputs)

    def kl(self):
        return -0.5 * tf.reduce_mean(1 + self.z_log_var - tf.square(self.z_mean) - tf.exp(self.z_log_var))  # why: TW303

    def loss(self, y_true, y_pred):
        reconstruction = tf.reduce_mean(tf.square(y_true - y_pred))
        return reconstruction + self.kl()

    def compile(self):
        self.model.compile("adam", loss=self.loss)
