import tensorflow as tf


class Solver:
    def __init__(self, network, steps):
        self.network = network
        self.steps = steps

    def backward(self, state):
        with tf.GradientTape() as tape:
            value = tf.reduce_sum(self.network(state) ** 2)
        return value, tape.gradient(value, self.network.trainable_variables)

    @tf.function
    def gradient(self, state):
        total = [tf.zeros_like(variable) for variable in self.network.trainable_variables]
        for _ in tf.range(self.steps):
            _, update = self.backward(state)
            for position in range(len(total)):
                total[position] = total[position] + update[position]  # why: TW505
            state = state + 0.1 * self.network(state)
        return [gradient / self.steps for gradient in total]
