"""An autoencoder is trained first, then a classifier on its frozen code: each phase asks for its own variables."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(166)
rng = np.random.default_rng(166)
x = rng.normal(size=(60, 6)).astype("float32")
y = (x[:, 0] > 0).astype("int64")
encoder = tf.keras.layers.Dense(3, activation="tanh", name="encoder")
decoder = tf.keras.layers.Dense(6, name="decoder")
classifier = tf.keras.layers.Dense(2, name="classifier")

first = tf.keras.optimizers.Adam(0.02)
for _epoch in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((decoder(encoder(x)) - x) ** 2)
    variables = encoder.trainable_variables + decoder.trainable_variables
    first.apply_gradients(zip(tape.gradient(loss, variables), variables))
print("autoencoder", round(float(loss), 4))

encoder.trainable = False
code = encoder(x)
second = tf.keras.optimizers.Adam(0.05)
for _epoch in range(3):
    with tf.GradientTape() as tape:
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=classifier(code))
        loss = tf.reduce_mean(losses)
    second.apply_gradients(zip(tape.gradient(loss, classifier.trainable_variables), classifier.trainable_variables))
print("classifier", round(float(loss), 4))
