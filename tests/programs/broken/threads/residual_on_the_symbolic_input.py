# requires: keras3
import numpy as np
import tensorflow as tf

inputs = tf.keras.Input((8,))
hidden = tf.keras.layers.Dense(12, activation="tanh")(inputs)
model = tf.keras.Model(inputs, tf.keras.layers.Dense(1)(hidden))


def physics_loss(y_true, y_pred):
    x = tf.cast(model.input, tf.float32)  # why: TW303
    with tf.GradientTape() as tape:
        tape.watch(x)
        output = model(x)
    slope = tape.gradient(output, x)
    residual = slope[:, 0] - output[:, 0]
    return tf.reduce_mean(tf.square(residual)) + tf.reduce_mean(tf.square(y_true - y_pred))


rng = np.random.default_rng(1)
x = rng.normal(size=(32, 8)).astype("float32")
y = rng.normal(size=(32, 1)).astype("float32")
model.compile(loss=physics_loss, optimizer="adam")
model.fit(x, y, epochs=1, verbose=0)
