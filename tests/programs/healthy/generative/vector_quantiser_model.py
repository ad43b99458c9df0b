"""VQ-VAE as in the examples: a quantiser layer with commitment and codebook losses, straight-through estimator, fit."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(27)
x = np.random.default_rng(27).uniform(-0.5, 0.5, size=(32, 8, 8, 1)).astype("float32")


class VectorQuantizer(layers.Layer):
    def __init__(self, count, width, beta=0.25, **kwargs):
        super().__init__(**kwargs)
        self.count, self.width, self.beta = count, width, beta

    def build(self, input_shape):
        self.embeddings = self.add_weight(
            name="codes", shape=(self.width, self.count), initializer="random_uniform", trainable=True
        )
        super().build(input_shape)

    def call(self, x):
        flattened = tf.reshape(x, [-1, self.width])
        encodings = tf.one_hot(self.code_indices(flattened), self.count)
        quantized = tf.reshape(tf.matmul(encodings, self.embeddings, transpose_b=True), tf.shape(x))
        commitment = tf.reduce_mean((tf.stop_gradient(quantized) - x) ** 2)
        codebook = tf.reduce_mean((quantized - tf.stop_gradient(x)) ** 2)
        self.add_loss(self.beta * commitment + codebook)
        return x + tf.stop_gradient(quantized - x)

    def code_indices(self, flattened):
        codes = tf.convert_to_tensor(self.embeddings)
        similarity = tf.matmul(flattened, codes)
        distances = (
            tf.reduce_sum(flattened**2, axis=1, keepdims=True) + tf.reduce_sum(codes**2, axis=0) - 2 * similarity
        )
        return tf.argmin(distances, axis=1)


encoder = keras.Sequential(
    [keras.Input((8, 8, 1)), layers.Conv2D(4, 3, strides=2, padding="same", activation="relu"), layers.Conv2D(2, 1)]
)
decoder = keras.Sequential(
    [keras.Input((4, 4, 2)), layers.Conv2DTranspose(4, 3, strides=2, padding="same"), layers.Conv2D(1, 1)]
)
quantizer = VectorQuantizer(8, 2, name="vector_quantizer")
inputs = keras.Input((8, 8, 1))
model = keras.Model(inputs, decoder(quantizer(encoder(inputs))))


class Trainer(keras.Model):
    def __init__(self, vqvae, variance):
        super().__init__()
        self.vqvae, self.variance = vqvae, variance
        self.tracker = keras.metrics.Mean(name="loss")

    def train_step(self, batch):
        with tf.GradientTape() as tape:
            reconstructions = self.vqvae(batch)
            total = tf.reduce_mean((batch - reconstructions) ** 2) / self.variance + sum(self.vqvae.losses)
        grads = tape.gradient(total, self.vqvae.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.vqvae.trainable_variables))
        self.tracker.update_state(total)
        return {"loss": self.tracker.result()}


trainer = Trainer(model, float(np.var(x)))
trainer.compile(optimizer=keras.optimizers.Adam())
print(len(trainer.fit(x, epochs=2, batch_size=16, verbose=0).history["loss"]))
codes = quantizer.code_indices(tf.reshape(encoder(x[:2]), [-1, 2]))
print(codes.shape)
