# A recurrent cell as a tf.Module: its gates are layers of Keras 3, which the module does not list.
# requires: keras3
import tensorflow as tf


class Gate(tf.Module):
    def __init__(self, units):
        super().__init__()
        self.kernel = tf.keras.layers.Dense(units, use_bias=False)  # why: TW602
        self.bias = tf.Variable(tf.zeros([units]), name="bias")

    def __call__(self, x):
        return tf.sigmoid(self.kernel(x) + self.bias)


class Cell(tf.Module):
    def __init__(self, units):
        super().__init__()
        self.update = Gate(units)
        self.mix = tf.Variable(tf.random.stateless_normal([4, units], seed=[3, 1]), name="mix")

    def __call__(self, x):
        return self.update(x) * tf.tanh(x @ self.mix)


def train(cell, x, y, optimizer):
    for _ in range(6):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(cell(x) - y))
        weights = cell.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
    return float(loss)


x = tf.random.stateless_normal([16, 4], seed=[5, 6])
print(train(Cell(3), x, tf.ones([16, 3]) * 0.2, tf.keras.optimizers.SGD(0.1)))
