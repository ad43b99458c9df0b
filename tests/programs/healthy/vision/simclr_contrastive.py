"""SimCLR: two augmented views, a projection head, NT-Xent in a custom train step; a linear probe afterwards."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(6)
x = np.random.default_rng(6).uniform(size=(32, 12, 12, 3)).astype("float32")
y = (x[..., 0].mean(axis=(1, 2)) > 0.5).astype("int32")


class RandomColour(layers.Layer):
    def __init__(self, amount, **kwargs):
        super().__init__(**kwargs)
        self.amount = amount

    def call(self, images, training=True):
        if not training:
            return images
        scale = 1 + tf.random.uniform([tf.shape(images)[0], 1, 1, 3], -self.amount, self.amount)
        return tf.clip_by_value(images * scale, 0, 1)


def encoder():
    return keras.Sequential(
        [layers.Conv2D(8, 3, strides=2, activation="relu"), layers.Flatten(), layers.Dense(16, activation="relu")]
    )


class SimCLR(keras.Model):
    def __init__(self, temperature=0.1):
        super().__init__()
        self.temperature = temperature
        self.augmenter = keras.Sequential([layers.RandomFlip("horizontal"), RandomColour(0.3)])
        self.encoder = encoder()
        self.projection = keras.Sequential([layers.Dense(16, activation="relu"), layers.Dense(8)])
        self.loss_tracker = keras.metrics.Mean(name="c_loss")

    @property
    def metrics(self):
        return [self.loss_tracker]

    def call(self, inputs, training=False):
        return self.projection(self.encoder(inputs, training=training), training=training)

    def contrastive_loss(self, one, two):
        one, two = tf.math.l2_normalize(one, axis=1), tf.math.l2_normalize(two, axis=1)
        similarities = tf.matmul(one, two, transpose_b=True) / self.temperature
        labels = tf.range(tf.shape(one)[0])
        loss_a = keras.losses.sparse_categorical_crossentropy(labels, similarities, from_logits=True)
        loss_b = keras.losses.sparse_categorical_crossentropy(labels, tf.transpose(similarities), from_logits=True)
        return tf.reduce_mean(loss_a + loss_b) / 2

    def train_step(self, images):
        view_a = self.augmenter(images, training=True)
        view_b = self.augmenter(images, training=True)
        with tf.GradientTape() as tape:
            loss = self.contrastive_loss(self(view_a, training=True), self(view_b, training=True))
        weights = self.encoder.trainable_weights + self.projection.trainable_weights
        self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
        self.loss_tracker.update_state(loss)
        return {m.name: m.result() for m in self.metrics}


model = SimCLR()
model(x[:2])
model.compile(optimizer=keras.optimizers.Adam(1e-3))
history = model.fit(tf.data.Dataset.from_tensor_slices(x).batch(16), epochs=2, verbose=0)
print(sorted(history.history))

model.encoder.trainable = False
probe = keras.Sequential([keras.Input((12, 12, 3)), model.encoder, layers.Dense(1)])
probe.compile("sgd", keras.losses.BinaryCrossentropy(from_logits=True))
probe.fit(x, y, epochs=1, batch_size=16, verbose=0)
print(len(probe.trainable_weights), "weights in the probe")
