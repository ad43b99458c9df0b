"""The generator is updated every second step only, under a strategy."""
import tensorflow as tf

tf.config.set_logical_device_configuration(
    tf.config.list_physical_devices("CPU")[0],
    [tf.config.LogicalDeviceConfiguration(), tf.config.LogicalDeviceConfiguration()],
)
strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
with strategy.scope():
    weight = tf.Variable(1.0)
    total = tf.Variable(0.0, synchronization=tf.VariableSynchronization.ON_WRITE, aggregation=tf.VariableAggregation.MEAN)


@tf.function
def train(step):
    def replica(step):
        loss = weight * 2.0
        if step % 2 == 0:
            total.assign_add(loss)  # why: TW701
        return loss

    return strategy.run(replica, args=(step,))


for number in range(2):
    train(tf.constant(number))
