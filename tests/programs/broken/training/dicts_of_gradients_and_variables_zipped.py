"""Variables are kept in a dict, and so come their gradients: `zip` of the two dicts pairs their keys."""

import tensorflow as tf

tf.keras.utils.set_random_seed(2)


def made(inputs, hidden):
    return {
        "kernel": tf.Variable(tf.random.normal((inputs, hidden))),
        "bias": tf.Variable(tf.zeros((hidden,))),
        "head": tf.Variable(tf.random.normal((hidden, 1))),
    }


def forward(parameters, x):
    return tf.tanh(x @ parameters["kernel"] + parameters["bias"]) @ parameters["head"]


@tf.function
def step(parameters, optimizer, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((forward(parameters, x) - y) ** 2)
    gradients = tape.gradient(loss, parameters)
    optimizer.apply_gradients(zip(gradients, parameters))  # why: TW121
    return loss


parameters = made(3, 8)
optimizer = tf.keras.optimizers.SGD(0.1)
x = tf.random.normal((16, 3))
for number in range(5):
    print(number, float(step(parameters, optimizer, x, tf.reduce_sum(x, axis=1, keepdims=True))))
