"""Each replica computes its scores before it opens its tape."""

import tensorflow as tf

cpus = tf.config.list_physical_devices("CPU")
tf.config.set_logical_device_configuration(cpus[0], [tf.config.LogicalDeviceConfiguration()] * 2)
strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])

with strategy.scope():
    kernel = tf.Variable(tf.ones((3, 1)))

features = tf.ones((8, 3))


def replica_step():
    scores = features @ kernel  # why: TW102
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((scores - 2.0) ** 2)
    gradient = tape.gradient(loss, kernel)
    replica = tf.distribute.get_replica_context()
    kernel.assign_sub(replica.all_reduce(tf.distribute.ReduceOp.SUM, 0.1 * gradient))


strategy.run(replica_step)
