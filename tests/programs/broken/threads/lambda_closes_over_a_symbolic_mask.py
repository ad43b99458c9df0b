# requires: keras3
import tensorflow as tf

tokens = tf.keras.Input((6,), dtype="int32")
weights = tf.keras.Input((6, 1))
embedded = tf.keras.layers.Embedding(20, 4)(tokens)
masked = tf.keras.layers.Lambda(lambda x: tf.multiply(x, weights))(embedded)  # why: TW303
pooled = tf.keras.layers.GlobalAveragePooling1D()(masked)
model = tf.keras.Model([tokens, weights], tf.keras.layers.Dense(1)(pooled))
model.summary()
