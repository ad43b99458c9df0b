# A mixture whose experts are variables in a plain object: the tf.Module lists its gate alone.
import dataclasses

import tensorflow as tf


@dataclasses.dataclass
class Expert:
    kernel: tf.Variable
    bias: tf.Variable

    def __call__(self, x):
        return x @ self.kernel + self.bias


def expert(seed):
    return Expert(tf.Variable(tf.random.stateless_normal([3, 1], seed=[seed, 0])), tf.Variable(tf.zeros([1])))


class Mixture(tf.Module):
    def __init__(self, count):
        super().__init__()
        self.gate = tf.Variable(tf.zeros([3, count]), name="gate")
        self.experts = [expert(seed) for seed in range(count)]  # why: TW602

    def __call__(self, x):
        weights = tf.nn.softmax(x @ self.gate)
        return tf.reduce_sum(weights * tf.concat([each(x) for each in self.experts], axis=1), axis=1)


mixture, optimizer = Mixture(2), tf.keras.optimizers.SGD(0.05)
x = tf.random.stateless_normal([32, 3], seed=[7, 7])


@tf.function
def step():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(mixture(x) - x[:, 0] * x[:, 1]))
    gradients = tape.gradient(loss, mixture.trainable_variables)
    optimizer.apply_gradients(zip(gradients, mixture.trainable_variables))
    return loss


for _ in range(6):
    loss = step()
print(float(loss))
