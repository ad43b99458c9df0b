"""Begin a decoder with what the encoder gives: of its two states only one."""

import tensorflow as tf

encoder = tf.keras.layers.LSTM(5, return_state=True)
decoder = tf.keras.layers.LSTM(5, return_sequences=True)
_, hidden, _ = encoder(tf.ones([2, 4, 3]))
outputs = decoder(tf.ones([2, 6, 3]), initial_state=[hidden])  # why: TW504
print(outputs.shape)
