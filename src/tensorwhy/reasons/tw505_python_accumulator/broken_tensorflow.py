"""Greedy decoding with a recurrent cell: one output per step, collected."""

import tensorflow as tf

cell = tf.keras.layers.GRUCell(4)
readout = tf.keras.layers.Dense(3)


@tf.function
def decode(state, steps):
    outputs = []
    token = tf.zeros([1, 3])
    for _ in tf.range(steps):
        state, _ = cell(token, [state])
        token = readout(state)
        outputs.append(token)  # why: TW505
    return tf.stack(outputs, axis=1)


cell.build([None, 3])
readout.build([None, 4])
print(decode(tf.zeros([1, 4]), tf.constant(5)).shape)
