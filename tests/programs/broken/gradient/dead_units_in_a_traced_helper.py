"""The hidden layer is a traced function of its own, within a traced step: a bias of -50 leaves nothing of its ReLU."""

import tensorflow as tf

x = tf.random.stateless_normal([16, 3], seed=[1, 2])
y = tf.reduce_sum(x, axis=1, keepdims=True)
kernel = tf.Variable(tf.random.stateless_normal([3, 8], seed=[3, 4]), name="kernel")
bias = tf.Variable(tf.fill([8], -50.0), name="bias")
readout = tf.Variable(tf.ones([8, 1]), name="readout")
offset = tf.Variable([0.5], name="offset")
variables = [kernel, bias, readout, offset]
optimizer = tf.keras.optimizers.SGD(0.01)


@tf.function
def features(inputs):
    return tf.nn.relu(inputs @ kernel + bias)  # why: TW201


def predict(inputs):
    return features(inputs) @ readout + offset


@tf.function
def step(inputs, wanted):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(predict(inputs) - wanted))
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return loss


for _ in range(8):
    loss = step(x, y)
print(float(loss))
