# An augmentation by `py_function` closes over the symbolic image instead of taking it as an argument.
import numpy as np
import tensorflow as tf


class Augment:
    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def rotate(self, image):
        turns = int(self.rng.integers(4))
        return np.rot90(image.numpy(), turns)

    def __call__(self, image, label):
        turned = tf.py_function(lambda: self.rotate(image), [], tf.float32)  # why: TW403
        turned.set_shape(image.shape)
        return turned, label


images = np.zeros((6, 4, 4, 1), "float32")
dataset = tf.data.Dataset.from_tensor_slices((images, np.arange(6))).map(Augment(0)).batch(2)
for batch, labels in dataset:
    print(batch.shape, labels.shape)
