"""An encoder's result keeps mean and deviation, and draws from them in another file."""

import tensorflow as tf
from encoder import Encoder

tf.random.set_seed(0)
encoder = Encoder(latent=4)
decoder = tf.keras.layers.Dense(12)
optimizer = tf.keras.optimizers.Adam(1e-2)
batch = tf.random.normal((16, 12))
decoder.build((None, 4))


def reconstruction(batch):
    posterior = encoder(batch)
    code = tf.convert_to_tensor(posterior.draw(), dtype=tf.float32)
    return tf.reduce_mean(tf.square(decoder(code) - batch))


for step in range(3):
    with tf.GradientTape() as tape:
        loss = reconstruction(batch)
    weights = encoder.weights() + decoder.trainable_variables
    gradients = tape.gradient(loss, weights)
    optimizer.apply_gradients(zip(gradients, weights))
print(sum(gradient is None for gradient in gradients))
