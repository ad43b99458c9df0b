# The private history of an ordinary tensor: only symbolic Keras tensors have one.
import tensorflow as tf

images = tf.random.normal((10, 32))
model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(2)])
model(images)
layer, node, index = images._keras_history[:3]  # why: TW301
print(layer.name, node, index)
