"""A function for graphs whose result is only declared before the branches."""
# requires: tf>=2.12
import tensorflow as tf


def smooth(x, width):
    kernel = tf.ones((width, 1, 1)) / tf.cast(width, tf.float32)
    return tf.nn.conv1d(x[:, :, None], kernel, stride=1, padding="SAME")[:, :, 0]


@tf.function
def pick(x: tf.Tensor, threshold: tf.Tensor) -> tf.Tensor:
    result: tf.Tensor  # why: TW504
    spread = tf.math.reduce_std(x)
    if spread > threshold:
        result = smooth(x, 3)
    else:
        result = x
    return result


@tf.function
def best_of(candidates: tf.Tensor) -> tf.Tensor:
    best: tf.Tensor
    highest = tf.constant(-1e9)
    for row in candidates:
        score = tf.reduce_sum(row)
        if score > highest:
            highest = score
            best = row
    return best


def main():
    x = tf.random.normal((4, 16))
    print(pick(x, 0.5).shape)
    print(best_of(x).shape)


main()
