"""The loss compares the labels with the labels: it does not depend on the model, all gradients are None, Adam raises.

With the prediction as the second argument the loop trains.
"""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(58)
rng = np.random.default_rng(58)
x_data = rng.normal(size=(50, 3)).astype("float32")
y_data = x_data @ np.array([[1.0], [2.0], [3.0]], "float32")
dataset = tf.data.Dataset.from_tensor_slices((x_data, y_data)).batch(25)

model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="tanh"), tf.keras.layers.Dense(1)])
loss_object = tf.keras.losses.MeanAbsoluteError()
optimizer = tf.keras.optimizers.Adam(0.05)
train_loss = tf.keras.metrics.Mean()


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        y_ = model(x, training=True)
        loss = loss_object(y, y)  # why: TW115
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    train_loss.update_state(loss)
    return y_


for epoch in range(2):
    for x, y in dataset:
        train_step(x, y)
    print("epoch", epoch, "loss", float(train_loss.result()))
