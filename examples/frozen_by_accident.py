"""Trains an encoder and a classifier on noisy waves. It runs to its end, and the loss even falls.

Yet half of the model never learns: the features are computed once per batch, for the loss and for the activity
penalty, before the tape is opened. Run it under tensorwhy: `tensorwhy run examples/frozen_by_accident.py`.
"""

import numpy as np
import tensorflow as tf

STEPS, BATCH, LENGTH, CLASSES = 30, 32, 64, 3

tf.random.set_seed(7)
rng = np.random.default_rng(7)


def batches(count):
    """Sines of three frequencies, with random phase and noise, and their class."""
    time = np.linspace(0.0, 2.0 * np.pi, LENGTH)
    for _ in range(count):
        label = rng.integers(CLASSES, size=BATCH)
        phase = rng.uniform(0.0, 2.0 * np.pi, size=(BATCH, 1))
        wave = np.sin((1 + 2 * label[:, None]) * time + phase) + 0.3 * rng.normal(size=(BATCH, LENGTH))
        yield tf.constant(wave[..., None], tf.float32), tf.constant(label, tf.int32)


encoder = tf.keras.Sequential(
    [
        tf.keras.layers.Conv1D(8, 7, strides=2, activation="relu"),
        tf.keras.layers.Conv1D(16, 5, strides=2, activation="relu"),
        tf.keras.layers.GlobalAveragePooling1D(),
    ],
    name="encoder",
)
classifier = tf.keras.Sequential([tf.keras.layers.Dense(CLASSES)], name="classifier")
encoder.build((None, LENGTH, 1))
classifier.build((None, 16))

loss_of = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam(0.01)
weights = encoder.trainable_variables + classifier.trainable_variables


def penalty(features):
    """Keeps the features small."""
    return 1e-3 * tf.reduce_mean(tf.square(features))


def train_step(waves, labels):
    features = encoder(waves, training=True)
    activity = penalty(features)
    with tf.GradientTape() as tape:
        logits = classifier(features, training=True)
        loss = loss_of(labels, logits) + activity
    gradients = tape.gradient(loss, weights)
    optimizer.apply_gradients(zip(gradients, weights))
    return loss


for step, (waves, labels) in enumerate(batches(STEPS)):
    loss = train_step(waves, labels)
    if step % 10 == 9:
        print(f"step {step + 1}: loss {float(loss):.3f}")
