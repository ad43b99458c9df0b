"""The generator of the data and the model have the same names for targets and outputs."""
import numpy as np
import tensorflow as tf


def rows():
    rng = np.random.default_rng(0)
    for _ in range(16):
        x = rng.normal(size=3).astype("float32")
        yield x, {"kind": x.argmax(), "size": x.sum()}


def build(features):
    inputs = tf.keras.Input((features,))
    kind = tf.keras.layers.Dense(3, name="kind")(inputs)
    size = tf.keras.layers.Dense(1, name="size")(inputs)
    model = tf.keras.Model(inputs, [kind, size])
    distance = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile("sgd", loss={"kind": distance, "size": "mse"})
    return model


spec = {"kind": tf.TensorSpec((), tf.int64), "size": tf.TensorSpec((), tf.float32)}
data = tf.data.Dataset.from_generator(rows, output_signature=(tf.TensorSpec((3,)), spec))
build(3).fit(data.batch(4), verbose=0)
