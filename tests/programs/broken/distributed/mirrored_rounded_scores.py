"""The loss of each replica is computed from rounded scores, inside a tf.function: no variable gets a gradient."""

import tensorflow as tf

cpus = tf.config.list_physical_devices("CPU")
tf.config.set_logical_device_configuration(cpus[0], [tf.config.LogicalDeviceConfiguration()] * 2)
strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])

with strategy.scope():
    layer = tf.keras.layers.Dense(1)
    layer.build((None, 3))
    optimizer = tf.keras.optimizers.Adam(0.01)

features = tf.random.normal((32, 3), seed=3)
dataset = tf.data.Dataset.from_tensor_slices((features, tf.reduce_sum(features, 1, keepdims=True))).batch(8)


def classify(x):
    return tf.round(layer(x))  # why: TW106


def replica_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((classify(x) - y) ** 2)
    gradients = tape.gradient(loss, layer.trainable_variables)
    optimizer.apply_gradients(zip(gradients, layer.trainable_variables))
    return loss


@tf.function
def train_step(x, y):
    return strategy.run(replica_step, args=(x, y))


for x, y in strategy.experimental_distribute_dataset(dataset):
    train_step(x, y)
