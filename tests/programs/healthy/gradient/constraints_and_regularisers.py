"""Weight constraints, regularisers and weight clipping by `assign` after each step."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(130)
rng = np.random.default_rng(130)
x = rng.uniform(size=(60, 4)).astype("float32")
y = x @ np.array([[1.0], [2.0], [0.0], [0.5]], "float32")

layer = tf.keras.layers.Dense(
    1,
    kernel_constraint=tf.keras.constraints.NonNeg(),
    kernel_regularizer=tf.keras.regularizers.L1(0.001),
    bias_regularizer=tf.keras.regularizers.L2(0.01),
)
layer.build((None, 4))
optimizer = tf.keras.optimizers.SGD(0.1)

for step in range(5):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(layer(x) - y)) + tf.add_n(layer.losses)
    gradients = tape.gradient(loss, layer.trainable_variables)
    optimizer.apply_gradients(zip(gradients, layer.trainable_variables))
    layer.kernel.assign(tf.clip_by_value(tf.convert_to_tensor(layer.kernel), 0.0, 2.0))
    print(step, round(loss.numpy().item(), 4))
print("smallest", round(float(tf.reduce_min(layer.kernel)), 4) >= 0)
