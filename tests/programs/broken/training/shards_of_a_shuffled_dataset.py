"""Every second element is kept for a test, of a dataset whose order changes with each pass."""
import numpy as np
import tensorflow as tf

generator = np.random.default_rng(5)
inputs = generator.normal(size=(40, 4)).astype("float32")
targets = generator.normal(size=(40, 1)).astype("float32")


def prepared(data):
    return data.map(lambda x, y: (x * 2.0, y)).batch(8).prefetch(1)


everything = tf.data.Dataset.from_tensor_slices((inputs, targets))
everything = everything.shuffle(40, seed=1).repeat(1)  # why: TW803
model = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="relu"), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(prepared(everything.shard(2, 0)), epochs=2, verbose=0)
model.evaluate(prepared(everything.shard(2, 1)), verbose=0)
