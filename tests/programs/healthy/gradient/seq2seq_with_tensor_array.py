"""A decoder loop in a tf.function writes its outputs to a TensorArray; teacher forcing by a random flag."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(151)
rng = np.random.default_rng(151)
source = tf.constant(rng.integers(1, 9, size=(12, 4)))
target = tf.reverse(source, axis=[1])
embed = tf.keras.layers.Embedding(10, 6)
encoder_cell, decoder_cell = tf.keras.layers.GRUCell(8), tf.keras.layers.GRUCell(8)
project = tf.keras.layers.Dense(10)


def run(force):
    state = tf.zeros([12, 8])
    embedded = embed(source)
    for t in tf.range(4):
        _, new_state = encoder_cell(embedded[:, t], [state])
        state = new_state[0]
    outputs = tf.TensorArray(tf.float32, size=4)
    token = tf.zeros([12], tf.int32)
    for t in tf.range(4):
        hidden, new_state = decoder_cell(embed(token), [state])
        state = new_state[0]
        logits = project(hidden)
        outputs = outputs.write(t, logits)
        token = tf.where(force, target[:, t], tf.argmax(logits, axis=1, output_type=tf.int32))
    return tf.transpose(outputs.stack(), [1, 0, 2])


source, target = tf.cast(source, tf.int32), tf.cast(target, tf.int32)
layers = [embed, encoder_cell, decoder_cell, project]
embed(source), encoder_cell(tf.zeros([1, 6]), [tf.zeros([1, 8])]), decoder_cell(tf.zeros([1, 6]), [tf.zeros([1, 8])])
project(tf.zeros([1, 8]))
variables = [v for layer in layers for v in layer.trainable_variables]
optimizer = tf.keras.optimizers.SGD(0.5)


@tf.function
def train_step(force):
    with tf.GradientTape() as tape:
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=target, logits=run(force))
        loss = tf.reduce_mean(losses)
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(gradients, variables))
    return loss


for step in range(4):
    print(step, round(float(train_step(tf.constant(step % 2 == 0))), 3))
