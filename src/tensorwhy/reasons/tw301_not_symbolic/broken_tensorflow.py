# A classifier whose "input" is a batch of data: everything computed from it is data, too.
import tensorflow as tf
from tensorflow import keras

features = tf.random.normal((32, 8))  # why: TW301
hidden = keras.layers.Dense(16, activation="relu")(features)
logits = keras.layers.Dense(3)(hidden)

model = keras.Model(inputs=features, outputs=logits)
model.summary()
