# requires: keras3
# A method of TensorFlow's tensors that Keras 2's had, too.
from tensorflow import keras


def width_of(x):
    return x.get_shape().as_list()[-1]  # why: TW302


def block(x):
    gate = keras.layers.Dense(width_of(x), activation="sigmoid")(x)
    return keras.layers.Multiply()([x, gate])


inputs = keras.Input((4,))
keras.Model(inputs, block(keras.layers.Dense(6)(inputs)))
