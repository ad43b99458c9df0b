"""The worst error over the batches of a data set."""

import tensorflow as tf
from trainer import Evaluator

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.build([None, 3])
features = tf.random.normal([4, 2, 3])
labels = tf.zeros([4, 2, 1])
evaluator = Evaluator(model)
print("worst", evaluator.run(features, labels, tf.constant(4)).shape)
