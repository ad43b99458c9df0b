"""The loop computes gradients and never applies them: nothing fails, the loss stays where it is, nothing is trained.

With `optimizer.apply_gradients(zip(gradients, model.trainable_variables))` the weights change.
"""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(77)
rng = np.random.default_rng(77)
x = rng.normal(size=(64, 4)).astype("float32")
y = (x.sum(axis=1) > 0).astype("int64")

model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(2)])
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam(learning_rate=0.01)
accuracy = tf.keras.metrics.SparseCategoricalAccuracy()
dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(16)

for epoch in range(3):
    total = 0.0
    accuracy.reset_state()
    for features, labels in dataset:
        with tf.GradientTape() as tape:
            logits = model(features, training=True)
            loss = loss_fn(labels, logits)
        gradients = tape.gradient(loss, model.trainable_variables)  # why: TW121
        gradients, norm = tf.clip_by_global_norm(gradients, 5.0)
        accuracy.update_state(labels, logits)
        total += float(loss)
    print(f"epoch {epoch}: loss {total / 4:.4f} accuracy {float(accuracy.result()):.3f} norm {float(norm):.3f}")
