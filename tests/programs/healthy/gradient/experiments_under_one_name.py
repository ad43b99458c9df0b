"""Two experiments one after the other with the same names, each with a model and a loop of its own."""

import tensorflow as tf

tf.keras.utils.set_random_seed(5)
x, y = tf.random.normal([16, 3]), tf.random.normal([16, 1])


def build(width):
    return tf.keras.Sequential([tf.keras.layers.Dense(width, activation="relu"), tf.keras.layers.Dense(1)])


model = build(4)
optimizer = tf.keras.optimizers.SGD(0.01)
for step in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))

model = build(8)
optimizer = tf.keras.optimizers.SGD(0.01)
for step in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
print("done", bool(tf.math.is_finite(loss)))
