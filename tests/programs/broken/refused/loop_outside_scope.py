# requires: keras3
"""A custom loop: the model is made before the scope, the optimizer inside."""
import numpy as np
import tensorflow as tf

tf.config.set_logical_device_configuration(
    tf.config.list_physical_devices("CPU")[0],
    [tf.config.LogicalDeviceConfiguration(), tf.config.LogicalDeviceConfiguration()],
)
net = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
with strategy.scope():
    optimizer = tf.keras.optimizers.SGD(0.1)
    optimizer.build(net.trainable_variables)


@tf.function
def step(batch):
    def replica(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(net(x)))
        grads = tape.gradient(loss, net.trainable_variables)
        optimizer.apply_gradients(zip(grads, net.trainable_variables))
        return loss

    return strategy.run(replica, args=(batch,))  # why: TW701


print(step(np.ones((8, 4), "float32")))
