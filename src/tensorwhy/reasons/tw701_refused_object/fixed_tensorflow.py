"""The moves of a game make a new tensor each."""

import tensorflow as tf


def place(board, row, column, player):
    return tf.tensor_scatter_nd_update(board, [[row, column]], [player])


board = tf.zeros([3, 3], tf.int32)
for turn, (row, column) in enumerate([(0, 0), (1, 1)]):
    board = place(board, row, column, turn % 2 + 1)
assert board.numpy().tolist() == [[1, 0, 0], [0, 2, 0], [0, 0, 0]]
