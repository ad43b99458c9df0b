"""What a distributed dataset gives is used outside of `run`, by a helper that takes tensors."""

import tensorflow as tf

[device, *_] = tf.config.list_physical_devices("CPU")
tf.config.set_logical_device_configuration(device, [tf.config.LogicalDeviceConfiguration()] * 2)
strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
with strategy.scope():
    scale = tf.Variable(tf.ones((2, 1)))


def project(samples):
    return tf.matmul(samples, scale)  # why: TW701


table = tf.data.Dataset.from_tensor_slices(tf.ones((8, 2))).batch(4)
for batch in strategy.experimental_distribute_dataset(table):
    print(tf.reduce_sum(project(batch)))
