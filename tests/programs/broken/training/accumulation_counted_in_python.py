"""Gradients of several batches are added up; how many there were is counted in Python, which a traced step does once."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)


class Accumulator:
    """Sums of gradients, and when they are due."""

    def __init__(self, model, every):
        self.model, self.every, self.count = model, every, 0
        self.optimizer = tf.keras.optimizers.SGD(0.05)
        self.sums = [tf.Variable(tf.zeros_like(w), trainable=False) for w in model.trainable_variables]

    def add(self, gradients):
        for total, gradient in zip(self.sums, gradients):
            total.assign_add(gradient / self.every)

    def flush(self):
        pairs = zip([tf.convert_to_tensor(total) for total in self.sums], self.model.trainable_variables)
        self.optimizer.apply_gradients(pairs)
        for total in self.sums:
            total.assign(tf.zeros_like(total))


model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(1)])
accumulator = Accumulator(model, every=4)


@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    accumulator.add(tape.gradient(loss, model.trainable_variables))
    accumulator.count += 1
    if accumulator.count % accumulator.every == 0:  # why: TW122
        accumulator.flush()
    return loss


rng = np.random.default_rng(0)
data = tf.constant(rng.normal(size=(16, 8, 4)), tf.float32)
for epoch in range(2):
    for batch in data:
        loss = step(batch, batch[:, :1])
    print(epoch, round(float(loss), 3))
