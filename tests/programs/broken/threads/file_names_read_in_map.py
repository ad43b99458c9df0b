import os
import tempfile

import numpy as np
import tensorflow as tf

folder = tempfile.mkdtemp()
for number in range(3):
    np.save(os.path.join(folder, f"{number}.npy"), np.full((2, 2), number, dtype="float32"))


def load(path):
    name = path.numpy().decode("utf-8")  # why: TW406
    return np.load(name), int(os.path.basename(name)[0])


files = tf.data.Dataset.list_files(os.path.join(folder, "*.npy"), shuffle=False)
for array, label in files.map(load).batch(3):
    print(array.shape, label)
