"""A sparse autoencoder whose penalty is built anew for each batch, as a function: every call of the step is a trace."""

import functools

import tensorflow as tf

encoder, decoder = tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(12)
decoder(encoder(tf.zeros([1, 12])))
weights = encoder.trainable_variables + decoder.trainable_variables
optimizer = tf.keras.optimizers.SGD(0.05)


@tf.function
def step(batch, *, penalty):
    with tf.GradientTape() as tape:
        code = encoder(batch)
        for _ in range(6):
            code = code + 0.01 * tf.tanh(code)
        loss = tf.reduce_mean(tf.square(decoder(code) - batch)) + penalty(code)
    optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
    return loss


def sparsity(code, weight):
    return weight * tf.reduce_mean(tf.abs(code))


for _ in range(40):
    loss = step(tf.random.normal([32, 12]), penalty=functools.partial(sparsity, weight=0.01))  # why: TW410
print(float(loss))
