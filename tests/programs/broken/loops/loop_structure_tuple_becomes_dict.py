"""Keep the last value of a loop beside the one before: under names, which the state did not have at first."""

import tensorflow as tf


@tf.function
def last_two(x):
    state = (x[0], x[0])
    for each in x:
        before = state["last"] if isinstance(state, dict) else state[0]
        state = {"last": each, "before": before}  # why: TW504
    return state


print(last_two(tf.range(4.0)))
