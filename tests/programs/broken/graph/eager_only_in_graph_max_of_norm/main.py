# Gradients are scaled with Python's `max`, which compares tensors.
import tensorflow as tf


def global_norm(tensors):
    return tf.sqrt(sum(tf.reduce_sum(t**2) for t in tensors))


def clip(gradients, limit):
    scale = max(1.0, global_norm(gradients) / limit)  # why: TW406
    return [gradient / scale for gradient in gradients]


model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(4), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()


@tf.function
def train(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    gradients = clip(tape.gradient(loss, model.trainable_variables), 5.0)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


print(train(tf.ones((4, 2)), tf.ones((4, 1))))
