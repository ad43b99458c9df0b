"""A head is put on the encoder in the functional way, but the model that is trained ends before it."""

import tensorflow as tf

tf.keras.utils.set_random_seed(2)
inputs = tf.keras.Input((4,))
encoder = tf.keras.layers.Dense(3, activation="tanh", name="encoder")
head = tf.keras.layers.Dense(2, name="head")
body = tf.keras.layers.Dense(1, name="body")
codes = encoder(inputs)
extra = head(codes)  # why: TW115
model = tf.keras.Model(inputs, body(codes))
optimizer = tf.keras.optimizers.Adam(0.01)
variables = model.trainable_variables + head.trainable_variables
x, y = tf.random.normal((8, 4)), tf.random.normal((8, 1))
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    grads = tape.gradient(loss, variables)
    optimizer.apply_gradients([(g, v) for g, v in zip(grads, variables) if g is not None])
print("done")
