"""Sample from a model until a stop token, collecting with +=."""

import tensorflow as tf


class Sampler:
    def __init__(self, logits):
        self.logits = tf.constant(logits)
        self.tokens = []

    def draw(self):
        return tf.squeeze(tf.random.categorical(self.logits[tf.newaxis], 1))

    def extend(self):
        self.tokens += [self.draw()]  # why: TW505

    @tf.function
    def sample(self, limit):
        for _ in tf.range(limit):
            self.extend()
        return tf.stack(self.tokens)


sampler = Sampler([0.1, 0.5, 0.2])
print(sampler.sample(tf.constant(6)).shape)
