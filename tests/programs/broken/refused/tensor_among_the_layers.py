import tensorflow as tf

keras = tf.keras
model = keras.Sequential()
inputs = keras.Input((4,))
hidden = keras.layers.Dense(3)(inputs)
model.add(hidden)  # why: TW701
