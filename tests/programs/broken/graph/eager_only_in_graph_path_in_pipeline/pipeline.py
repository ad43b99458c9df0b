import os

import tensorflow as tf


class Images:
    def __init__(self, root, names, labels):
        self.root, self.names, self.labels = root, names, labels

    def read(self, path):
        return tf.cast(tf.io.decode_png(tf.io.read_file(path), channels=3), tf.float32)

    def load(self, name, label):
        path = os.path.join(self.root, name)  # why: TW406
        return self.read(path) / 255.0, label

    def dataset(self, batch):
        pairs = tf.data.Dataset.from_tensor_slices((self.names, self.labels))
        return pairs.map(self.load, num_parallel_calls=2).batch(batch)
