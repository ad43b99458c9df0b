"""The weights of a network go to L-BFGS as one vector: a factory makes the function of that vector."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(4)
inputs = tf.keras.Input((1,))
hidden = tf.keras.layers.Dense(6, activation="tanh")(inputs)
model = tf.keras.Model(inputs, tf.keras.layers.Dense(1)(hidden))
gauge = tf.Variable(0.3, name="gauge")


def factory(model, extra, x, y):
    variables = model.trainable_variables + [extra]
    shapes = [v.shape for v in variables]
    indices, parts, count = [], [], 0
    for number, shape in enumerate(shapes):
        size = int(np.prod(shape))
        indices.append(tf.reshape(tf.range(count, count + size, dtype=tf.int32), shape))
        parts.extend([number] * size)
        count += size
    parts = tf.constant(parts)

    def assign(vector):
        for variable, shape, piece in zip(variables, shapes, tf.dynamic_partition(vector, parts, len(shapes))):
            variable.assign(tf.reshape(piece, shape))

    @tf.function
    def value_and_slope(vector):
        with tf.GradientTape() as tape:
            assign(vector)
            loss = tf.reduce_mean(tf.square(model(x) - y))
        slopes = tape.gradient(loss, variables)
        slopes = [tf.zeros_like(v) if g is None else g for g, v in zip(slopes, variables)]
        return loss, tf.dynamic_stitch(indices, slopes)

    return value_and_slope, lambda: tf.dynamic_stitch(indices, variables)


x = tf.constant(np.linspace(-1, 1, 30)[:, None], tf.float32)
function, start = factory(model, gauge, x, tf.sin(3 * x))
vector = start()  # why: TW115
for _ in range(6):
    loss, slope = function(vector)
    vector = vector - 0.2 * slope
print(float(loss))
