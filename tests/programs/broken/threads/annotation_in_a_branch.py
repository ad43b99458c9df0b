"""A decorated function that AutoGraph leaves as it is: it cannot take an annotation in a branch."""
import tensorflow as tf


def smooth(signals, width):
    kernel = tf.ones((width, 1, 1)) / float(width)
    return tf.nn.conv1d(signals[:, :, None], kernel, stride=1, padding="SAME")[:, :, 0]


def energy(signals):
    return tf.reduce_mean(tf.square(signals))


@tf.function
def cleaned(signals, limit):
    noise = energy(signals - smooth(signals, 3))
    if noise > limit:  # why: TW406
        result: tf.Tensor = smooth(signals, 5)
    else:
        result = signals
    return result - tf.reduce_mean(result, axis=1, keepdims=True)


def main():
    for _ in range(2):
        signals = tf.random.normal((4, 32))
        print(energy(cleaned(signals, tf.constant(0.1))).numpy())


main()
