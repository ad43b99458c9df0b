"""Two blocks that are recomputed in the backward pass to save memory: a ReLU in one is dead, a sigmoid saturated."""

import tensorflow as tf

tf.random.set_seed(0)


class Block(tf.Module):
    def __init__(self, units, shift, activation):
        super().__init__()
        self.kernel = tf.Variable(tf.random.normal([units, units]), name="kernel")
        self.shift = tf.Variable(tf.fill([units], shift), name="shift")
        self.activation = activation

    def __call__(self, x):
        return self.activation(x @ self.kernel + self.shift)


def rectified(values):
    return tf.nn.relu(values)  # why: TW201


def squashed(values):
    return tf.sigmoid(values)  # why: TW202


x = tf.random.normal([8, 3])
y = tf.reduce_sum(x, 1, keepdims=True)
first, second = Block(3, -100.0, rectified), Block(3, 200.0, squashed)
checkpointed = [tf.recompute_grad(block) for block in (first, second)]
head = tf.Variable(tf.random.normal([6, 1]), name="head")
bias = tf.Variable(tf.zeros([1]), name="bias")
optimizer = tf.keras.optimizers.SGD(0.01)
variables = [*first.trainable_variables, *second.trainable_variables, head, bias]
for step in range(8):
    with tf.GradientTape() as tape:
        hidden = tf.concat([block(x) for block in checkpointed], axis=-1)
        loss = tf.reduce_mean((hidden @ head + bias - y) ** 2)
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(gradients, variables))
print([float(tf.norm(gradient)) for gradient in gradients])
