"""Values leave TensorFlow by .numpy(), float() and np functions inside the tape, but only for the log."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(141)
rng = np.random.default_rng(141)
x = rng.normal(size=(60, 4)).astype("float32")
y = (x[:, :1] * x[:, 1:2] > 0).astype("float32")
model = tf.keras.Sequential([tf.keras.layers.Dense(10, activation="relu"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(0.02)
log = []

for _epoch in range(4):
    with tf.GradientTape() as tape:
        logits = model(x)
        probability = tf.sigmoid(logits)
        losses = tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits)
        loss = tf.reduce_mean(losses)
        hard = np.round(probability.numpy())
        log.append(
            {
                "loss": float(loss),
                "accuracy": float(np.mean(hard == y)),
                "worst": float(np.max(losses)),
                "spread": np.asarray(probability).std(),
            }
        )
        if log[-1]["loss"] > 10.0:
            print("diverged")
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
for entry in log:
    print({k: round(float(v), 3) for k, v in entry.items()})
