import tensorflow as tf

keras = tf.keras
steps = keras.Input((5, 4))
hidden = keras.layers.TimeDistributed(keras.layers.Dense(3)(steps))  # why: TW701
