"""Computes the loss with a clone of the model, and asks for the gradient of the original's weights."""

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(1)])
twin = tf.keras.models.clone_model(model)
twin.set_weights(model.get_weights())
batch, wanted = tf.random.normal((8, 3)), tf.random.normal((8, 1))

with tf.GradientTape() as tape:
    predicted = twin(batch)  # why: TW117
    loss = tf.reduce_mean(tf.square(predicted - wanted))

grads = tape.gradient(loss, model.trainable_variables)
print("gradients", grads)
