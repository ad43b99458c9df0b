"""Two players of the same shape, and each gets the other one's gradient: the lists are in a different order."""

import tensorflow as tf

row = tf.Variable([[0.1, 0.2, 0.3]], name="row")
column = tf.Variable([[0.3, 0.1, 0.2]], name="column")
payoff = tf.constant([[0.0, 1.0, -1.0], [-1.0, 0.0, 1.0], [1.0, -1.0, 0.5]])
optimizer = tf.keras.optimizers.SGD(0.1)

for step in range(4):
    with tf.GradientTape() as tape:
        value = tf.matmul(tf.nn.softmax(row), tf.matmul(payoff, tf.nn.softmax(column), transpose_b=True))
        loss = tf.reduce_sum(value)
    gradients = tape.gradient(loss, [row, column])
    optimizer.apply_gradients(zip(gradients, [column, row]))  # why: TW121
