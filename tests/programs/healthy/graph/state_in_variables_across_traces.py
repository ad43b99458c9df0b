# A schedule and a running mean live in variables that are made once, and are assigned in traced code.
import tensorflow as tf


class RunningMean(tf.keras.layers.Layer):
    def __init__(self, momentum):
        super().__init__()
        self.momentum = momentum

    def build(self, input_shape):
        self.mean = self.add_weight(name="mean", shape=(input_shape[-1],), initializer="zeros", trainable=False)
        self.built = True

    def call(self, x, training=False):
        if training:
            new = self.momentum * self.mean + (1.0 - self.momentum) * tf.reduce_mean(x, axis=0)
            self.mean.assign(new)
        return x - self.mean


class Descent(tf.Module):
    def __init__(self, rate, decay):
        super().__init__()
        self.rate = tf.Variable(rate, trainable=False)
        self.decay = decay

    def apply(self, variables, gradients):
        for variable, gradient in zip(variables, gradients):
            variable.assign_sub(self.rate * gradient)
        self.rate.assign(self.rate * self.decay)


centre = RunningMean(0.9)
head = tf.keras.layers.Dense(1)
optimizer = Descent(0.1, 0.5)


@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((head(centre(x, training=True)) - y) ** 2)
    variables = [head.kernel, head.bias]
    optimizer.apply(variables, tape.gradient(loss, variables))
    return loss


x = tf.random.stateless_normal([8, 3], [1, 2])
centre(x), head(x)
for rows in (8, 4):
    step(x[:rows], x[:rows, :1])
print(round(float(optimizer.rate), 4), centre.mean.shape)
