"""`fit` shows its progress: the bar rebuilds the results of each epoch as a structure of their own type."""

import contextlib
import io

import tensorflow as tf

tf.keras.utils.set_random_seed(3)
x = tf.random.normal((32, 3))
y = tf.matmul(x, [[1.0], [-2.0], [0.5]])
model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse", metrics=["mae"])
with contextlib.redirect_stdout(io.StringIO()) as shown:  # it shows times, too
    history = model.fit(x, y, batch_size=8, epochs=2, verbose=1)
assert "mae" in shown.getvalue()
assert sorted(history.history) == ["loss", "mae"]
