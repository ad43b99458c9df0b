"""Each of two replicas computes gradients in its own thread; the variables are updated with their sum."""

import tensorflow as tf

cpus = tf.config.list_physical_devices("CPU")
tf.config.set_logical_device_configuration(cpus[0], [tf.config.LogicalDeviceConfiguration()] * 2)
strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])

with strategy.scope():
    kernel = tf.Variable(tf.ones((3, 1)))
    bias = tf.Variable(tf.zeros((1,)))

features = tf.random.normal((16, 3), seed=1)
labels = tf.reduce_sum(features, axis=1, keepdims=True) + 1.0
dataset = tf.data.Dataset.from_tensor_slices((features, labels)).batch(8).repeat()


def replica_step(x, y):
    with tf.GradientTape() as tape:
        error = x @ kernel + bias - y
        loss = tf.reduce_mean(error**2)
    gradients = tape.gradient(loss, [kernel, bias])
    replica = tf.distribute.get_replica_context()
    for variable, gradient in zip([kernel, bias], gradients):
        total = replica.all_reduce(tf.distribute.ReduceOp.SUM, gradient)
        variable.assign_sub(0.05 * total)
    return loss


before = bias.numpy().copy()
for x, y in strategy.experimental_distribute_dataset(dataset.take(6)):
    losses = strategy.run(replica_step, args=(x, y))
assert abs(bias.numpy() - before).max() > 0
