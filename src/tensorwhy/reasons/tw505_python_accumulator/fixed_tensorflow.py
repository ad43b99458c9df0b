"""Greedy decoding with a recurrent cell: one output per step, collected."""

import tensorflow as tf

cell = tf.keras.layers.GRUCell(4)
readout = tf.keras.layers.Dense(3)


@tf.function
def decode(state, steps):
    outputs = tf.TensorArray(tf.float32, size=steps)
    token = tf.zeros([1, 3])
    for step in tf.range(steps):
        state, _ = cell(token, [state])
        token = readout(state)
        outputs = outputs.write(step, token)
    return tf.transpose(outputs.stack(), [1, 0, 2])


cell.build([None, 3])
readout.build([None, 4])
decoded = decode(tf.zeros([1, 4]), tf.constant(5))
print(decoded.shape)
assert decoded.shape == (1, 5, 3)
