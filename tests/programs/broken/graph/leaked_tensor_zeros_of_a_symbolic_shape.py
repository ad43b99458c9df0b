# requires: keras2
import numpy as np
import tensorflow as tf
from tensorflow.keras import backend as K
from tensorflow.keras import layers


class AxialLogits(layers.Layer):
    def __init__(self, heads, depth, **kwargs):
        super().__init__(**kwargs)
        self.heads, self.depth = heads, depth

    def build(self, shape):
        length = shape[1]
        self.relative = self.add_weight(name="relative", shape=(2 * length - 1, self.depth))

    def call(self, x):
        batch, length = K.shape(x)[0], x.shape[1]
        x = K.reshape(x, [batch, length, self.heads, self.depth])
        x = K.permute_dimensions(x, [0, 2, 1, 3])
        logits = tf.einsum("bhld,md->bhlm", x, self.relative)
        logits = self.shift(logits)
        return K.reshape(K.permute_dimensions(logits, [0, 2, 1, 3]), [batch, length, self.heads * length])

    def shift(self, x):
        shape = K.shape(x)
        batch, heads, length = shape[0], shape[1], shape[2]
        column = K.zeros(K.stack([batch, heads, length, 1]))  # why: TW403
        x = K.concatenate([x, column], axis=3)
        flat = K.reshape(x, [batch, heads, length * 2 * length])
        row = K.zeros(K.stack([batch, heads, length - 1]))
        flat = K.concatenate([flat, row], axis=2)
        final = K.reshape(flat, [batch, heads, length + 1, 2 * length - 1])
        return final[:, :, :length, length - 1 :]


def augmented(inputs, heads, depth):
    projected = layers.Dense(heads * depth)(inputs)
    return AxialLogits(heads, depth)(projected)


def build():
    inputs = layers.Input((6, 5))
    x = augmented(inputs, 2, 4)
    return tf.keras.Model(inputs, layers.Dense(1)(layers.Flatten()(x)))


model = build()
model.compile("adam", "mse")
model.fit(np.zeros((8, 6, 5), "float32"), np.zeros((8, 1), "float32"), verbose=0)
