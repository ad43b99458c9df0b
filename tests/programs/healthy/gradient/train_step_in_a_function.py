"""The standard training loop: tf.function, autograph branch and loop, metrics with argmax, no gradient lost."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(113)
rng = np.random.default_rng(113)
x = rng.normal(size=(60, 4)).astype("float32")
y = (x[:, 0] > x[:, 1]).astype("int64")
dataset = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(60, seed=2).batch(20)

model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(2)])
model.build((None, 4))
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam(0.02)
correct = tf.Variable(0, dtype=tf.int64, trainable=False)


@tf.function
def train_step(features, labels):
    with tf.GradientTape() as tape:
        logits = model(features, training=True)
        loss = loss_fn(labels, logits)
        if loss > 5.0:
            loss = loss / 10.0
        penalty = tf.constant(0.0)
        for i in tf.range(2):
            penalty += 1e-4 * tf.cast(i + 1, tf.float32) * tf.nn.l2_loss(model.trainable_variables[0])
        total = loss + penalty
    gradients = tape.gradient(total, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    hits = tf.reduce_sum(tf.cast(tf.equal(tf.argmax(logits, axis=1), labels), tf.int64))
    correct.assign_add(hits)
    return loss


for epoch in range(3):
    correct.assign(0)
    for features, labels in dataset:
        loss = train_step(features, labels)
    print(epoch, "loss", round(loss.numpy().item(), 3), "accuracy", round(int(correct) / 60, 3))
