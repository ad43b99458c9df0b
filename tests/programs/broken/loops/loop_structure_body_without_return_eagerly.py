# The body of an eager loop computes the next values, and returns nothing.
import tensorflow as tf


def body(count, value):
    value = value * 2.0
    count = count + 1


start = [tf.constant(0), tf.constant(1.0)]
count, value = tf.while_loop(lambda count, value: count < 3, body, start)  # why: TW504
print(value)
