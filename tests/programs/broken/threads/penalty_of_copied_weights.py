import numpy as np
import tensorflow as tf

model = tf.keras.Sequential(
    [tf.keras.Input((6,)), tf.keras.layers.Dense(4, activation="relu"), tf.keras.layers.Dense(1)]
)
optimizer = tf.keras.optimizers.SGD(0.01)


def orthogonality(network):
    total = 0.0
    for weight in network.get_weights():  # why: TW110
        if weight.ndim == 2:
            product = tf.matmul(weight, weight, transpose_a=True)
            total += tf.reduce_sum(tf.square(product - tf.eye(weight.shape[1])))
    return total


def regularise(network):
    with tf.GradientTape() as tape:
        loss = orthogonality(network)
    kernels = [v for v in network.trainable_variables if len(v.shape) == 2]
    gradients = tape.gradient(loss, kernels)
    optimizer.apply_gradients(zip(gradients, kernels))
    return float(np.asarray(loss))


print(regularise(model))
