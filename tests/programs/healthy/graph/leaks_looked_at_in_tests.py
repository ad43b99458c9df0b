"""What a traced function left in a list is looked at where a failure of that is caught by a context manager."""

import contextlib
import unittest

import tensorflow as tf

left = []
kept = []
errors = (TypeError, AttributeError, ValueError)


@contextlib.contextmanager
def going_on():
    try:
        yield
    except errors as error:
        print(type(error).__name__ != "")


@tf.function
def doubled(x):
    left.append(x * 2)
    return x * 2


@tf.function
def halved(x):
    kept.append(x / 2)
    return x / 2


doubled(tf.constant(1.0))
halved(tf.constant(1.0))
with going_on():
    float(left[0])
with unittest.TestCase().assertRaises(errors):
    float(kept[0])
