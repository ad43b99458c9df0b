import numpy as np
import tensorflow as tf


def make_batches():
    rng = np.random.default_rng(5)
    x = rng.normal(scale=0.1, size=(24, 4)).astype("float32")
    y = rng.uniform(0.05, 0.95, size=(24, 3)).astype("float32")
    return tf.data.Dataset.from_tensor_slices((x, y / y.sum(axis=1, keepdims=True))).batch(8)


model = tf.keras.Sequential(
    [tf.keras.Input((4,)), tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(1, activation="relu")]
)
optimizer = tf.keras.optimizers.Adam(1e-3)
loss_object = tf.keras.losses.SparseCategoricalCrossentropy()


def train_step(x, distribution):
    with tf.GradientTape() as tape:
        outputs = model(x, training=True)
        loss = loss_object(outputs, distribution)  # why: TW105, TW108
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


for x, y in make_batches():
    train_step(x, y)
