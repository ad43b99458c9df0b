"""A plain bug in Python, caught: nothing was refused by a library."""
import json

import tensorflow as tf

history = {"loss": [1.0]}
try:
    print(history["accuracy"])
except KeyError:
    print("no accuracy", tf.constant(1.0).shape)
try:
    json.loads("{bad")
except ValueError:
    print("no settings")
