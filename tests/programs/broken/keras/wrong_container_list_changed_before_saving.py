# requires: keras2
# A normalisation is put in front of a block's layers; a checkpoint is written later.
import os
import tempfile

import numpy as np
import tensorflow as tf


class Block(tf.keras.layers.Layer):
    def __init__(self, width, depth):
        super().__init__()
        self.parts = [tf.keras.layers.Dense(width) for _ in range(depth)]

    def call(self, x):
        for part in self.parts:
            x = part(x)
        return x


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.block = Block(4, 2)
        self.head = tf.keras.layers.Dense(1)

    def call(self, x):
        return self.head(self.block(x))


def normalised(net):
    net.block.parts.insert(0, tf.keras.layers.LayerNormalization())  # why: TW602
    return net


net = normalised(Net())
net(np.zeros((2, 3), "float32"))
checkpoint = tf.train.Checkpoint(net=net)
with tempfile.TemporaryDirectory() as folder:
    checkpoint.save(os.path.join(folder, "step"))
