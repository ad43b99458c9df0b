"""Two heads in one output: the part of the first is rounded in its loss, that of the second is not."""

import tensorflow as tf

tf.keras.utils.set_random_seed(1)
inputs = tf.keras.Input((4,))
hidden = tf.keras.layers.Dense(8, activation="tanh")(inputs)
counts = tf.keras.layers.Dense(2, name="counts")(hidden)
places = tf.keras.layers.Dense(3, name="places")(hidden)
model = tf.keras.Model(inputs, tf.keras.layers.Concatenate()([counts, places]))
optimizer = tf.keras.optimizers.SGD(0.05)
x = tf.random.normal((32, 4))
goal = tf.random.normal((32, 5))


def error(output, goal):
    whole = tf.round(output[:, :2])  # why: TW203
    return tf.reduce_mean(tf.square(whole - goal[:, :2])) + tf.reduce_mean(tf.square(output[:, 2:] - goal[:, 2:]))


@tf.function
def step(x, goal):
    with tf.GradientTape() as tape:
        loss = error(model(x, training=True), goal)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    return loss


for _ in range(10):
    step(x, goal)
