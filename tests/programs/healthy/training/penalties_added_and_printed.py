"""The penalties of the kernels are part of the loss, and are printed between the steps."""

import tensorflow as tf

tf.keras.utils.set_random_seed(3)
penalty = tf.keras.regularizers.L1(0.01)
model = tf.keras.Sequential([
    tf.keras.layers.Dense(6, activation="relu", kernel_regularizer=penalty),
    tf.keras.layers.Dense(1),
])
optimizer = tf.keras.optimizers.Adam(0.01)
x = tf.random.normal((32, 4))
y = tf.reduce_sum(x, axis=1, keepdims=True)


def report(step, error):
    total = float(error) + sum(float(each) for each in model.losses)
    print(step, total > 0)


for step in range(6):
    with tf.GradientTape() as tape:
        error = tf.reduce_mean(tf.square(model(x, training=True) - y)) + sum(model.losses)
    gradients = tape.gradient(error, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    if step % 2 == 0:
        report(step, error)
