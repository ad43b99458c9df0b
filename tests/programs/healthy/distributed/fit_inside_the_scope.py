"""Model, `fit` and `evaluate` all stand in the scope of a strategy: its variables have no handle outside of a replica."""

import tensorflow as tf

cpus = tf.config.list_physical_devices("CPU")
tf.config.set_logical_device_configuration(cpus[0], [tf.config.LogicalDeviceConfiguration()] * 2)
tf.keras.utils.set_random_seed(5)
features = tf.random.normal((16, 3))
dataset = tf.data.Dataset.from_tensor_slices((features, tf.reduce_sum(features, axis=1, keepdims=True))).batch(8)

with tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"]).scope():
    inputs = tf.keras.Input((3,))
    model = tf.keras.Model(inputs, tf.keras.layers.Dense(1)(inputs))
    model.compile("sgd", "mse")
    before = model.get_weights()[0].copy()
    model.fit(dataset, epochs=5, verbose=0)
    model.evaluate(dataset, verbose=0)
assert abs(model.get_weights()[0] - before).max() > 0
