"""An exponential moving average of the weights is kept with `assign` and swapped in for evaluation."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(124)
rng = np.random.default_rng(124)
x = rng.normal(size=(50, 3)).astype("float32")
y = x @ np.array([[1.0], [0.5], [-1.0]], "float32")
model = tf.keras.Sequential([tf.keras.layers.Dense(6, activation="tanh"), tf.keras.layers.Dense(1)])
model(x[:1])
average = [tf.Variable(v, trainable=False) for v in model.trainable_variables]
optimizer = tf.keras.optimizers.Adam(0.02)


def mse():
    return tf.reduce_mean(tf.square(model(x) - y))


for _step in range(10):
    with tf.GradientTape() as tape:
        loss = mse()
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    for slow, fast in zip(average, model.trainable_variables):
        slow.assign(0.9 * slow + 0.1 * tf.convert_to_tensor(fast))

backup = model.get_weights()
for variable, slow in zip(model.trainable_variables, average):
    variable.assign(slow)
print("averaged", round(float(mse()), 4))
model.set_weights(backup)
print("last", round(float(mse()), 4))
