"""A running total in a variable stands between two variables of the same shape."""

import tensorflow as tf

rate = tf.Variable(3.0)
total = tf.Variable(0.0)
optimizer = tf.keras.optimizers.SGD(0.1)

for price in (2.0, 4.0):
    with tf.GradientTape() as tape:
        total.assign_add(rate * price)  # why: TW113
        loss = tf.square(total - 10.0)
    gradient = tape.gradient(loss, rate)
    if price < 3.0:
        print(gradient)
    else:
        rate.assign_sub(0.1 * gradient)
