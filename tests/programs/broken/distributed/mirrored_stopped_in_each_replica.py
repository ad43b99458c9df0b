"""The kernel is frozen by `stop_gradient` in the forward pass of each replica, and then asked for its gradient."""

import tensorflow as tf

cpus = tf.config.list_physical_devices("CPU")
tf.config.set_logical_device_configuration(cpus[0], [tf.config.LogicalDeviceConfiguration()] * 2)
strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])

with strategy.scope():
    kernel = tf.Variable(tf.ones((3, 1)))
    bias = tf.Variable(tf.zeros((1,)))

features = tf.ones((8, 3))
labels = tf.ones((8, 1))


def replica_step():
    with tf.GradientTape() as tape:
        score = features @ tf.stop_gradient(kernel) + bias  # why: TW104
        loss = tf.reduce_mean((score - labels) ** 2)
    gradients = tape.gradient(loss, [kernel, bias])
    replica = tf.distribute.get_replica_context()
    for variable, gradient in zip([kernel, bias], gradients):
        total = replica.all_reduce(tf.distribute.ReduceOp.SUM, gradient)
        variable.assign_sub(0.05 * total)


for _ in range(3):
    strategy.run(replica_step)
