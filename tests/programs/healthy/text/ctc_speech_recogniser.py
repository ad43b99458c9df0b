"""CTC: a loss layer that adds its own loss in Keras style, greedy decoding, and the plain tf.nn form in a tape."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(15)
rng = np.random.default_rng(15)
features = tf.constant(rng.normal(size=(6, 12, 5)).astype("float32"))
labels = tf.constant(rng.integers(1, 4, size=(6, 4)), dtype=tf.int32)
model = tf.keras.Sequential(
    [
        layers.Conv1D(8, 3, padding="same", activation="relu"),
        layers.Bidirectional(layers.LSTM(6, return_sequences=True)),
        layers.TimeDistributed(layers.Dense(5)),
    ]
)
model(features)
optimizer = tf.keras.optimizers.Adam(0.01)


@tf.function
def step(batch, targets):
    with tf.GradientTape() as tape:
        logits = model(batch, training=True)
        frames = tf.fill([tf.shape(logits)[0]], tf.shape(logits)[1])
        lengths = tf.fill([tf.shape(targets)[0]], tf.shape(targets)[1])
        loss = tf.nn.ctc_loss(targets, logits, lengths, frames, logits_time_major=False, blank_index=-1)
        loss = tf.reduce_mean(loss)
    grads, norm = tf.clip_by_global_norm(tape.gradient(loss, model.trainable_variables), 5.0)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss, norm


history = [float(step(features, labels)[0]) for _ in range(4)]
print(history[-1] < history[0])
logits = tf.transpose(model(features), [1, 0, 2])
decoded, _ = tf.nn.ctc_greedy_decoder(logits, tf.fill([6], 12))
dense = tf.sparse.to_dense(decoded[0], default_value=-1)
print(dense.shape[0], tf.edit_distance(decoded[0], tf.cast(tf.sparse.from_dense(labels), tf.int64)).shape)
