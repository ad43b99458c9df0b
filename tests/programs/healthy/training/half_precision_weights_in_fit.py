# A regressor that computes in bfloat16, trained by fit inside of a function, with float32 weights.
# requires: keras3
import numpy as np
import tensorflow as tf


def network(policy):
    inputs = tf.keras.Input((6,))
    hidden = tf.keras.layers.Dense(16, activation="relu", dtype=policy)(inputs)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(1, dtype="float32")(hidden))


def trained(policy):
    rng = np.random.default_rng(4)
    x = rng.normal(size=(64, 6)).astype("float32")
    y = x[:, :1] - x[:, 1:2]
    model = network(policy)
    model.compile(optimizer=tf.keras.optimizers.Adam(1e-3), loss="mse")
    model.fit(x, y, batch_size=16, epochs=4, verbose=0)
    return model


model = trained("mixed_bfloat16")
print("loss layers", [weight.dtype for weight in model.trainable_variables])
