"""Computes the loss with the same model as the gradients are asked for; its clone stands for the slow copy."""

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(1)])
twin = tf.keras.models.clone_model(model)
twin.set_weights(model.get_weights())
batch, wanted = tf.random.normal((8, 3)), tf.random.normal((8, 1))

with tf.GradientTape() as tape:
    predicted = model(batch)
    loss = tf.reduce_mean(tf.square(predicted - wanted))

grads = tape.gradient(loss, model.trainable_variables)
print("gradients", [grad.shape for grad in grads])
assert len(grads) == 2 and all(grad is not None for grad in grads)
