"""Two players of the same shape: one list says in which order gradients and variables are."""

import tensorflow as tf

row = tf.Variable([[0.1, 0.2, 0.3]], name="row")
column = tf.Variable([[0.3, 0.1, 0.2]], name="column")
payoff = tf.constant([[0.0, 1.0, -1.0], [-1.0, 0.0, 1.0], [1.0, -1.0, 0.5]])
optimizer = tf.keras.optimizers.SGD(0.1)
players = [row, column]
losses = []

for step in range(4):
    with tf.GradientTape() as tape:
        value = tf.matmul(tf.nn.softmax(row), tf.matmul(payoff, tf.nn.softmax(column), transpose_b=True))
        loss = tf.reduce_sum(value)
    gradients = tape.gradient(loss, players)
    optimizer.apply_gradients(zip(gradients, players))
    losses.append(float(loss))
assert losses[-1] < losses[0]
