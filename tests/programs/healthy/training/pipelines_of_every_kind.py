"""tf.data: generators, interleave, py_function, numpy_function, windows, batches by length, TFRecords, tables."""

import os
import tempfile

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(57)


def rows():
    for i in range(6):
        yield np.arange(i + 1, dtype="float32"), i % 2


generated = tf.data.Dataset.from_generator(
    rows, output_signature=(tf.TensorSpec((None,), tf.float32), tf.TensorSpec((), tf.int32))
)
print([tuple(x.shape) for x, _ in generated.padded_batch(3, padded_shapes=([None], []))])
lengths = generated.map(lambda x, y: x).bucket_by_sequence_length(lambda x: tf.shape(x)[0], [3, 5], [2, 2, 2])
print(len(list(lengths)))


def blur(image):
    return np.roll(image, 1).astype("float32")


def load(x, y):
    x = tf.numpy_function(blur, [x], tf.float32)
    x.set_shape([None])
    return x, y


print(sum(float(tf.reduce_sum(x)) for x, _ in generated.map(load)))
shifted = generated.map(lambda x, y: (tf.py_function(lambda t: t.numpy()[::-1], [x], tf.float32), y))
print([float(x[0]) for x, _ in shifted])
series = tf.data.Dataset.range(10).window(4, shift=2, drop_remainder=True).flat_map(lambda w: w.batch(4))
print([x.numpy().tolist() for x in series.map(lambda w: (w[:-1], w[-1])).map(lambda a, b: a + b)])
path = os.path.join(tempfile.mkdtemp(), "rows.tfrecord")
with tf.io.TFRecordWriter(path) as writer:
    for i in range(4):
        feature = {"v": tf.train.Feature(float_list=tf.train.FloatList(value=[i, i + 1.0]))}
        writer.write(tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString())
parse = {"v": tf.io.FixedLenFeature([2], tf.float32)}
records = tf.data.TFRecordDataset([path]).map(lambda raw: tf.io.parse_single_example(raw, parse)["v"])
files = tf.data.Dataset.from_tensor_slices([path, path]).interleave(tf.data.TFRecordDataset, cycle_length=2)
print(sum(1 for _ in files), [float(r[1]) for r in records])
table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2]), default_value=-1)
print([int(v) for v in tf.data.Dataset.from_tensor_slices(["a", "c", "b"]).map(table.lookup)])
counts = {"calls": 0}


def count(x):
    counts["calls"] += 1
    return x


print([int(v) for v in tf.data.Dataset.range(3).map(count).scan(np.int64(0), lambda s, v: (s + v, s + v))], counts)
zipped = tf.data.Dataset.zip((records, records.skip(1))).map(lambda a, b: {"sum": a + b, "first": a[0]})
print([float(d["first"]) for d in zipped.batch(2).unbatch()], zipped.element_spec["sum"].shape)
