"""What graphs are to see from call to call, kept in variables; callables and variables are made once."""

import functools

import tensorflow as tf


class Momentum(tf.Module):
    def __init__(self, rate, decay):
        self.rate, self.decay = rate, decay
        self.velocity = tf.Variable(tf.zeros([3]), trainable=False)

    def update(self, weights, gradient):
        self.velocity.assign(self.decay * self.velocity + gradient)
        weights.assign_sub(self.rate * self.velocity)


weights = tf.Variable([1.0, -2.0, 3.0])
momentum = Momentum(0.1, 0.9)


@tf.function
def step(penalty):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(weights)) + penalty(weights)
    momentum.update(weights, tape.gradient(loss, weights))
    return loss


penalty = functools.partial(tf.norm, ord=1)
losses = [float(step(penalty)) for _ in range(12)]
assert losses[-1] < losses[0]
assert step.experimental_get_tracing_count() == 1


def sampler(logits):
    temperature = tf.Variable(5.0, trainable=False)

    @tf.function
    def probabilities(shift):
        return tf.nn.softmax((logits + shift) / temperature)

    return probabilities, lambda: temperature.assign(0.5 * temperature)


probabilities, cool = sampler(tf.constant([1.0, 2.0, 4.0]))
highest = []
for _ in range(4):
    highest.append(float(tf.reduce_max(probabilities(tf.constant(0.0)))))
    cool()
assert highest == sorted(highest) and highest[0] < highest[-1]


class Normalizer(tf.Module):
    def __init__(self):
        self.mean = None

    @tf.function
    def normalize(self, x, training):
        if self.mean is None:
            self.mean = tf.Variable(tf.zeros([3]), trainable=False)
        if not training:
            return x / tf.norm(x)
        self.mean.assign(0.9 * self.mean + 0.1 * tf.reduce_mean(x, axis=0))
        return x - self.mean


normalizer = Normalizer()
normalizer.normalize(tf.ones([2, 3]), training=False)
normalizer.normalize(tf.ones([2, 3]), training=True)


@tf.function
def summarize(rows):
    if tf.size(rows) == 0:
        return tf.constant(0.0)
    return tf.reduce_sum(tf.map_fn(tf.reduce_mean, rows))


@tf.function
def labels(codes):
    count = tf.shape(codes)[0]
    out = tf.TensorArray(tf.float32, size=count)
    for index in tf.range(count):
        if codes[index] > 1:
            out = out.write(index, 10.0)
        else:
            out = out.write(index, -1.0)
    return out.stack()


assert float(summarize(tf.constant([[1.0, 2.0], [3.0, 4.0]]))) == 5.0
assert labels(tf.constant([1, 2, 3])).numpy().tolist() == [-1.0, 10.0, 10.0]
print("done")
