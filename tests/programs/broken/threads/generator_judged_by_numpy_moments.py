import numpy as np
import tensorflow as tf


def get_moments(samples):
    mean = np.mean(samples)
    centred = samples - mean
    deviation = np.std(samples)
    scores = centred / (deviation + 1e-6)
    return np.array([mean, deviation, np.mean(scores**3), np.mean(scores**4)], dtype=np.float32)


generator = tf.keras.Sequential(
    [tf.keras.Input((1,)), tf.keras.layers.Dense(8, activation="tanh"), tf.keras.layers.Dense(1)]
)
discriminator = tf.keras.Sequential(
    [tf.keras.Input((4,)), tf.keras.layers.Dense(8, activation="tanh"), tf.keras.layers.Dense(1)]
)
criterion = tf.keras.losses.BinaryCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam(1e-3)


def train_generator():
    noise = tf.random.uniform([32, 1])
    with tf.GradientTape() as tape:
        fake = generator(noise)
        decision = discriminator(get_moments(fake.numpy().T).reshape((1, 4)))  # why: TW110
        error = criterion(tf.ones_like(decision), decision)
    gradients = tape.gradient(error, generator.trainable_variables)
    optimizer.apply_gradients(zip(gradients, generator.trainable_variables))
    return error


print(float(train_generator()))
