"""A tf.function returns two heads and the loss uses one: the other's gradient is not None but zero, in every step.

TensorFlow fills in zeros for what an output of a function call does not use. With the second head in the loss its
gradient is not zero; without `tf.function` it is None.
"""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(93)
rng = np.random.default_rng(93)
x = tf.constant(rng.normal(size=(32, 4)), tf.float32)
y = tf.constant(rng.integers(0, 3, size=32))

trunk = tf.keras.layers.Dense(8, activation="relu")
classes = tf.keras.layers.Dense(3)
confidence = tf.keras.layers.Dense(1)


@tf.function
def forward(batch):
    h = trunk(batch)
    return classes(h), confidence(h)  # why: TW207


forward(x)
variables = trunk.trainable_variables + classes.trainable_variables + confidence.trainable_variables
for step in range(6):
    with tf.GradientTape() as tape:
        logits, certainty = forward(x)
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)
        loss = tf.reduce_mean(losses)
    gradients = tape.gradient(loss, variables)
    for variable, gradient in zip(variables, gradients):
        variable.assign_sub(0.1 * gradient)
    print(step, round(float(loss), 4), [round(float(tf.norm(g)), 4) for g in gradients])
