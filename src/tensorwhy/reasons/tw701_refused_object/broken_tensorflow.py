"""The moves of a game are written into a tensor."""

import tensorflow as tf


def place(board, row, column, player):
    marked = tf.identity(board)
    marked[row, column] = player  # why: TW701
    return marked


board = tf.zeros([3, 3], tf.int32)
for turn, (row, column) in enumerate([(0, 0), (1, 1)]):
    board = place(board, row, column, turn % 2 + 1)
print(board)
