# A helper chooses among the variables of a model those that are trained.
import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(0)
body, head = keras.layers.Dense(4, name="body"), keras.layers.Dense(1, name="head")
model = keras.Sequential([keras.Input((3,)), body, head])
optimizer = keras.optimizers.SGD(0.1)


def without(variables, word):
    return [each for each in variables if word not in getattr(each, "path", each.name)]


@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x, training=True) - y) ** 2)
    chosen = without(model.trainable_variables, "body")
    optimizer.apply_gradients(zip(tape.gradient(loss, chosen), chosen))


for _ in range(5):
    step(np.ones((8, 3), "float32"), np.ones((8, 1), "float32"))
