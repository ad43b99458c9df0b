"""Fine-tuning where the encoder runs before the tape opens: all its gradients are None, and Keras warns.

Moved into the `with`, the same call gives the encoder gradients.
"""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(4)
tf.keras.utils.set_random_seed(4)

encoder = tf.keras.Sequential(
    [
        tf.keras.layers.Dense(16, activation="relu", input_shape=(10,)),
        tf.keras.layers.Dense(8, activation="relu"),
    ],
    name="encoder",
)
head = tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(8,))], name="head")
optimizer = tf.keras.optimizers.Adam(1e-2)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

x = rng.normal(size=(64, 10)).astype("float32")
y = rng.integers(0, 3, size=64)
dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(16)


def train_step(batch, labels):
    features = encoder(batch, training=True)  # why: TW102
    with tf.GradientTape() as tape:
        logits = head(features, training=True)
        loss = loss_fn(labels, logits)
    variables = encoder.trainable_variables + head.trainable_variables
    grads = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(grads, variables))
    return loss


before = encoder.get_weights()[0].copy()
for epoch in range(2):
    for batch, labels in dataset:
        loss = train_step(batch, labels)
    print("epoch", epoch, "loss", round(float(loss), 4))
print("encoder moved:", bool(np.any(before != encoder.get_weights()[0])))
