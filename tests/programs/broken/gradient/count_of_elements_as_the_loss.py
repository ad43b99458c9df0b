"""A typo: the loss is computed from tf.shape of the predictions."""

import tensorflow as tf

tf.keras.utils.set_random_seed(11)
model = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="relu"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()


def error_per_element(labels, predictions):
    count = tf.cast(tf.shape(labels - predictions)[0], tf.float32)  # why: TW108
    return 1.0 / count


for _ in range(3):
    x, y = tf.random.normal([8, 3]), tf.random.normal([8, 1])
    with tf.GradientTape() as tape:
        loss = error_per_element(y, model(x))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
