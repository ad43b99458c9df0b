"""A variable made outside of the model, and added to the output by a Lambda layer; then the model is trained.

Training runs and the loss falls, but the offset stays at 10: a Lambda layer does not track the variables in its function.
"""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
offset = tf.Variable(10.0, name="offset")  # why: TW601

model = tf.keras.Sequential(
    [
        tf.keras.Input((4,)),
        tf.keras.layers.Dense(10, use_bias=False),
        tf.keras.layers.Dense(1),
        tf.keras.layers.Lambda(lambda x: x + offset),
    ]
)
model.compile("sgd", "mse")
rng = np.random.default_rng(3)
x = rng.normal(size=(64, 4)).astype("float32")
y = x.sum(axis=1, keepdims=True)
model.fit(x, y, epochs=2, batch_size=16, verbose=0)
print("offset", offset.numpy(), "weights", len(model.trainable_variables))
