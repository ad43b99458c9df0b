"""Mixed precision twice: under compile, and by hand with a scaled loss; float32 outputs, casts for the metrics."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(63)
rng = np.random.default_rng(63)
x, y = rng.normal(size=(32, 6)).astype("float32"), rng.integers(0, 3, size=32)
keras.mixed_precision.set_global_policy("mixed_float16")
model = keras.Sequential(
    [keras.Input((6,)), keras.layers.Dense(16, activation="relu"), keras.layers.Dense(3, dtype="float32")]
)
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
model.fit(x, y, epochs=2, batch_size=8, verbose=0)
print(model.layers[0].compute_dtype, model.layers[0].variable_dtype)
scale = tf.Variable(1024.0, trainable=False)
optimizer = keras.optimizers.SGD(0.05)


@tf.function
def step(features, labels):
    with tf.GradientTape() as tape:
        logits = model(features, training=True)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
        scaled = loss * scale
    grads = tape.gradient(scaled, model.trainable_variables)
    grads = [tf.cast(g, tf.float32) / scale for g in grads]
    finite = tf.reduce_all([tf.reduce_all(tf.math.is_finite(g)) for g in grads])
    safe = [tf.where(finite, g, tf.zeros_like(g)) for g in grads]
    for weight, grad in zip(model.trainable_variables, safe):
        weight.assign_sub(0.05 * grad)
    scale.assign(tf.where(finite, scale, scale / 2))
    return loss


losses = [float(step(tf.constant(x), tf.constant(y))) for _ in range(5)]
print(losses[-1] < losses[0], float(scale))
keras.mixed_precision.set_global_policy("float32")
