"""MirroredStrategy with a single CPU replica and a custom loop."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(117)
rng = np.random.default_rng(117)
strategy = tf.distribute.MirroredStrategy(devices=["/cpu:0"])
x = rng.normal(size=(32, 4)).astype("float32")
y = x[:, :1] - x[:, 2:3]

with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(6, activation="relu"), tf.keras.layers.Dense(1)])
    model.build((None, 4))
    optimizer = tf.keras.optimizers.SGD(0.05)

dataset = strategy.experimental_distribute_dataset(tf.data.Dataset.from_tensor_slices((x, y)).batch(16))


def replica_step(inputs):
    features, targets = inputs
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(model(features, training=True) - targets)) / 16.0
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


@tf.function
def train_step(inputs):
    return strategy.reduce(tf.distribute.ReduceOp.SUM, strategy.run(replica_step, args=(inputs,)), axis=None)


for epoch in range(2):
    total = 0.0
    for batch in dataset:
        total += float(train_step(batch))
    print(epoch, round(total, 4))
