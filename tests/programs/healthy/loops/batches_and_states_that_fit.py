"""Crops of any size that are padded in batches, and a decoder that begins with both states of its encoder."""

import tensorflow as tf


def crop(size):
    image = tf.random.stateless_uniform([8, 8, 3], seed=[1, 2])
    return image[:size, :4] * 2.0, tf.cast(size, tf.float32)


crops = tf.data.Dataset.range(2, 6).map(crop).padded_batch(2, padded_shapes=([None, 4, 3], []))
for images, sizes in crops:
    print(images.shape, sizes.numpy())

encoder = tf.keras.layers.LSTM(5, return_state=True)
decoder = tf.keras.layers.LSTM(5, return_sequences=True)
_, hidden, carried = encoder(tf.ones([2, 4, 3]))
print(decoder(tf.ones([2, 6, 3]), initial_state=[hidden, carried]).shape)
