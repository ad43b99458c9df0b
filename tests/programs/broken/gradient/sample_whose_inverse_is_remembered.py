"""A density gets back what a sample was made from, out of a cache, so that the sample has no part in it."""

import tensorflow as tf

tf.random.set_seed(1)


class Scale:
    def __init__(self, factor):
        self.factor, self.seen = factor, {}

    def forward(self, base):
        sample = base * self.factor + 1.0
        self.seen[sample.ref()] = base
        return sample

    def inverse(self, sample):
        known = self.seen.get(sample.ref())
        return (sample - 1.0) / self.factor if known is None else known


flow = Scale(tf.constant([2.0, 3.0]))
drawn = flow.forward(tf.random.normal((5, 2)))  # why: TW115
with tf.GradientTape() as tape:
    tape.watch(drawn)
    density = -0.5 * tf.reduce_sum(flow.inverse(drawn) ** 2)
print(tape.gradient(density, drawn))
