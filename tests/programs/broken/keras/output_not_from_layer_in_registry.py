# A registry of builders; one of them keeps a learned constant as an output.
import tensorflow as tf
from tensorflow import keras

BUILDERS = {}


def register(function):
    BUILDERS[function.__name__] = function
    return function


class Head:
    def __init__(self):
        self.bias = tf.Variable(tf.zeros((3,)))  # why: TW307

    def outputs(self, x):
        return {"scores": keras.layers.Dense(3)(x), "bias": self.bias}


@register
def classifier():
    inputs = keras.Input((4,))
    return keras.Model(inputs, Head().outputs(inputs))


BUILDERS["classifier"]()
