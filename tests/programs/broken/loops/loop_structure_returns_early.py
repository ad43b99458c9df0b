"""Find the first prime factor, leaving the loop as soon as it is known."""

import tensorflow as tf


@tf.function
def first_factor(number):
    for candidate in tf.range(2, number):
        if number % candidate == 0:
            return candidate  # why: TW504
    return number


def factors(numbers):
    return [int(first_factor(tf.constant(number))) for number in numbers]


print(factors([15, 49, 13]))
