"""Federated averaging: each client of each round gets a traced step of its own, which it calls twice."""

import tensorflow as tf

shared = [tf.Variable(tf.random.normal([6, 6]) * 0.3) for _ in range(10)]


def train(data, rounds=2):
    @tf.function
    def local_step(batch):
        with tf.GradientTape() as tape:
            y = batch
            for weight in shared:
                y = tf.nn.relu(y @ weight) + batch
            loss = tf.reduce_mean(tf.square(y - 1.0))
        for weight, gradient in zip(shared, tape.gradient(loss, shared)):
            weight.assign_sub(0.001 * gradient)
        return loss

    for _ in range(rounds):
        loss = local_step(data)  # why: TW410
    return loss


for _ in range(5):
    for client in range(8):
        loss = train(tf.random.normal([16, 6]))
print(float(loss))
