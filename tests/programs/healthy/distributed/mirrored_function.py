"""The step of both replicas inside one tf.function, with an optimizer."""

import tensorflow as tf

cpus = tf.config.list_physical_devices("CPU")
tf.config.set_logical_device_configuration(cpus[0], [tf.config.LogicalDeviceConfiguration()] * 2)
strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])

with strategy.scope():
    hidden = tf.keras.layers.Dense(4, activation="tanh")
    output = tf.keras.layers.Dense(1)
    hidden.build((None, 3))
    output.build((None, 4))
    variables = hidden.trainable_variables + output.trainable_variables
    optimizer = tf.keras.optimizers.Adam(0.01)
    if hasattr(optimizer, "build"):
        optimizer.build(variables)

features = tf.random.normal((32, 3), seed=2)
dataset = tf.data.Dataset.from_tensor_slices((features, tf.reduce_sum(features, 1, keepdims=True))).batch(8)


def replica_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((output(hidden(x)) - y) ** 2)
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(gradients, variables))
    return loss


@tf.function
def train_step(x, y):
    losses = strategy.run(replica_step, args=(x, y))
    return strategy.reduce(tf.distribute.ReduceOp.SUM, losses, axis=None)


for x, y in strategy.experimental_distribute_dataset(dataset):
    total = train_step(x, y)
