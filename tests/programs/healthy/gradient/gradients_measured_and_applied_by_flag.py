"""One traced step that trains when it is told to, and measures the gradients of a second network without training it."""

import tensorflow as tf

tf.keras.utils.set_random_seed(4)


def build():
    return tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(4, "tanh"), tf.keras.layers.Dense(1)])


class Trainer:
    def __init__(self, network, rate):
        self.network = network
        self.optimizer = tf.keras.optimizers.SGD(rate)
        self.sums = [tf.Variable(tf.zeros_like(w), trainable=False) for w in network.trainable_variables]
        self.rounds = 0

    @tf.function
    def step(self, x, y, release):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self.network(x) - y) ** 2)
        for total, slope in zip(self.sums, tape.gradient(loss, self.network.trainable_variables)):
            total.assign_add(slope)
        if release:
            pairs = zip([tf.identity(total) for total in self.sums], self.network.trainable_variables)
            self.optimizer.apply_gradients(pairs)
            for total in self.sums:
                total.assign(tf.zeros_like(total))
        return loss

    @tf.function
    def steepness(self, x, y, train=False):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self.network(x) - y) ** 2)
        slopes = tape.gradient(loss, self.network.trainable_variables)
        if train:
            self.optimizer.apply_gradients(zip(slopes, self.network.trainable_variables))
        return tf.linalg.global_norm(slopes)


x = tf.random.normal([16, 3])
y = tf.reduce_sum(x, axis=1, keepdims=True)
student, reference = Trainer(build(), 0.05), Trainer(build(), 0.05)
for batch in range(12):
    loss = student.step(x, y, release=batch % 4 == 3)
    student.rounds += 1
for _ in range(4):
    steepness = reference.steepness(x, y)
print(f"loss {float(loss):.3f} after {student.rounds} rounds, steepness of the reference {float(steepness):.3f}")
