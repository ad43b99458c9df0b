"""Features are centred over their positions and then averaged over the same ones: nothing is left of them."""

import tensorflow as tf

tf.random.set_seed(0)
features = tf.Variable(tf.random.normal((3, 2, 4)))
head = tf.Variable(tf.random.normal((4, 1)))
optimizer = tf.keras.optimizers.SGD(0.1)


def centred(values):
    return values - tf.reduce_mean(values, axis=1, keepdims=True)


@tf.function
def step(x):
    with tf.GradientTape() as tape:
        pooled = tf.reduce_mean(centred(tf.nn.conv1d(x, features, 1, "SAME")), axis=1)  # why: TW206
        loss = tf.reduce_mean((pooled @ head - x[:, 0, :1]) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, [features, head]), [features, head]))
    return loss


for _ in range(4):
    print(float(step(tf.random.normal((8, 12, 2)))) > 0)
