import tensorflow as tf


def read(path):
    with open(path) as file:  # why: TW406
        return file.read()


def load(path, label):
    text = read(path)
    return tf.strings.length(text), label


paths = tf.data.Dataset.from_tensor_slices((["a.txt", "b.txt"], [0, 1]))
for length, label in paths.map(load):
    print(length, label)
