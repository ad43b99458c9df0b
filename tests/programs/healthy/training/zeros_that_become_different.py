"""Weights that begin with zero and end up different: a last layer, an embedding, and a low-rank update."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(0)
generator = np.random.default_rng(0)
points = generator.normal(size=(96, 6)).astype("float32")
words = generator.integers(0, 10, size=(96, 1))
kinds = points[:, :3].argmax(axis=1)

given, tokens = tf.keras.Input((6,)), tf.keras.Input((1,), dtype="int32")
looked_up = tf.keras.layers.Flatten()(tf.keras.layers.Embedding(10, 4, embeddings_initializer="zeros")(tokens))
hidden = tf.keras.layers.Dense(8, activation="relu")(tf.keras.layers.Concatenate()([given, looked_up]))
chances = tf.keras.layers.Dense(3, activation="softmax", kernel_initializer="zeros")(hidden)
model = tf.keras.Model([given, tokens], chances)
model.compile(tf.keras.optimizers.Adam(0.01), "sparse_categorical_crossentropy")
model.fit([points, words], kinds, epochs=6, verbose=0)

down = tf.Variable(tf.random.stateless_normal((6, 2), seed=(1, 1)))
up = tf.Variable(tf.zeros((2, 6)))
for _ in range(20):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(points @ down @ up - points[:, ::-1]))
    for variable, gradient in zip((down, up), tape.gradient(loss, (down, up))):
        variable.assign_sub(0.1 * gradient)
print(model.count_params(), float(loss) < 2)
