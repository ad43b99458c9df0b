"""Training that ends as it should: statistics fixed on purpose, a tiny learning rate, a scaled loss, a decaying rate."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(0)
features = np.random.default_rng(0).normal(size=(128, 4)).astype("float32")
labels = features.sum(axis=1, keepdims=True)


def small_model():
    return tf.keras.Sequential(
        [
            tf.keras.Input((4,)),
            tf.keras.layers.Dense(8, activation="relu"),
            tf.keras.layers.BatchNormalization(),
            tf.keras.layers.Dense(1),
        ]
    )


def trained(model, optimizer, epochs, training):
    @tf.function
    def step(batch, wanted):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(batch, training=training) - wanted))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return loss

    for _ in range(epochs):
        for start in range(0, 128, 16):
            loss = step(features[start : start + 16], labels[start : start + 16])
    return float(loss)


first = small_model()
assert np.isfinite(trained(first, tf.keras.optimizers.Adam(0.01), 4, True))
fixed = small_model()
fixed.set_weights(first.get_weights())
assert np.isfinite(trained(fixed, tf.keras.optimizers.Adam(1e-6), 4, False))  # fine-tuning keeps the statistics

decaying = small_model()
optimizer = tf.keras.optimizers.SGD(0.01)
optimizer.note_of_my_own = 0.5  # nothing that an optimizer has
decaying.compile(optimizer=optimizer, loss="mse")
decaying.fit(
    features,
    labels,
    epochs=3,
    batch_size=16,
    verbose=0,
    callbacks=[tf.keras.callbacks.LearningRateScheduler(lambda epoch, rate: rate * 0.5)],
)
